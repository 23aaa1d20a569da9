import { BlockList, isIP } from "node:net";
import { Problem } from "../problem.ts";

/** Whether tools may reach private addresses that they name. */
export type PrivateHosts = "declared" | "never";

/**
 * Checks the hosts that a tool declares, `HOST`, `HOST:PORT` or `*.DOMAIN`, and gives them back in
 * lower case. Throws a `Problem` 400 for what is no host, or what no tool may reach.
 */
export function checkHosts(
  field: string,
  hosts: readonly string[],
  privateHosts: PrivateHosts,
): readonly string[] {
  return [...new Set(hosts.map((text) => checkHost(field, text, privateHosts)))];
}

function checkHost(field: string, text: string, privateHosts: PrivateHosts): string {
  const parts = split(text);
  const refuse = (why: string): never => {
    throw new Problem(400, `tool.json: ${field} has ${show(text)}, ${why}`);
  };
  if (parts === undefined || !isHost(parts.host)) {
    return refuse(
      'which is no host. Write "example.com", "example.com:8443" or "*.example.com", without a scheme, a path or a user.',
    );
  }
  const { host, port } = parts;
  if (port !== undefined && (port < 1 || port > 65_535)) {
    return refuse("whose port is not between 1 and 65535.");
  }
  if (isForbidden(host)) {
    return refuse(
      "which belongs to the machine's own network or its cloud. No tool may reach it; take it out.",
    );
  }
  if (privateHosts === "never" && isPrivate(host)) {
    return refuse(
      "which is private, and this server lets tools reach public hosts only. Take it out.",
    );
  }
  return text.toLowerCase();
}

interface HostParts {
  /** In lower case, without brackets. */
  readonly host: string;
  readonly port: number | undefined;
}

function split(text: string): HostParts | undefined {
  const [, bracketed, bracketedPort] = /^\[([^\]]+)\](?::(\d{1,5}))?$/u.exec(text) ?? [];
  if (bracketed !== undefined) {
    return isIP(bracketed) === 6 ? toParts(bracketed, bracketedPort) : undefined;
  }
  if (isIP(text) === 6) return toParts(text, undefined);
  const [, host, port] = /^([^:]+)(?::(\d{1,5}))?$/u.exec(text) ?? [];
  return host === undefined ? undefined : toParts(host, port);
}

function toParts(host: string, port: string | undefined): HostParts {
  return { host: host.toLowerCase(), port: port === undefined ? undefined : Number(port) };
}

const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
// The last part can't be a number: `127.1` and `0x7f.1` are spellings of addresses.
const last = "(?=[a-z0-9-]*[a-z])(?!0x[0-9a-f]*$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const nameForm = new RegExp(`^(?:${label}\\.)*${last}$`, "u");

function isHost(host: string): boolean {
  if (isIP(host) !== 0) return !host.includes("%");
  if (host.length > 253) return false;
  if (!host.startsWith("*.")) return nameForm.test(host);
  // All of `com` is not what anybody means.
  return host.slice(2).includes(".") && nameForm.test(host.slice(2));
}

function isForbidden(host: string): boolean {
  if (isIP(host) !== 0) return isListed(forbidden, host);
  return (
    host === "metadata" || /(?:^|\.)(?:metadata\.google\.internal|google\.internal)$/u.test(host)
  );
}

function isPrivate(host: string): boolean {
  if (isIP(host) !== 0) return isListed(local, host);
  return !host.includes(".") || /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/u.test(host);
}

function isListed(list: BlockList, address: string): boolean {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  // The list itself looks into `::ffff:…`; the older and the translated forms it does not know.
  return list.check(address, family);
}

const forbidden = new BlockList();
forbidden.addSubnet("169.254.0.0", 16, "ipv4");
forbidden.addAddress("168.63.129.16", "ipv4");
forbidden.addAddress("100.100.100.200", "ipv4");
forbidden.addAddress("0.0.0.0", "ipv4");
forbidden.addSubnet("fe80::", 10, "ipv6");
forbidden.addAddress("fd00:ec2::254", "ipv6");
forbidden.addSubnet("::ffff:169.254.0.0", 112, "ipv6");
forbidden.addSubnet("::169.254.0.0", 112, "ipv6");
forbidden.addSubnet("64:ff9b::169.254.0.0", 112, "ipv6");

const local = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  local.addSubnet(net, prefix, "ipv4");
}
// What is not global unicast is local, or an IPv4 address in other clothes.
local.addSubnet("::", 3, "ipv6");
local.addSubnet("8000::", 1, "ipv6");

function show(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
