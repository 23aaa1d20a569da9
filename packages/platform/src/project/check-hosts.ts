import { BlockList, isIP } from "node:net";
import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";

/** Whether tools may reach private addresses that their `tool.json` declares. */
export type PrivateHosts = "declared" | "never";

/**
 * Checks the hosts that a tool declares (`HOST`, `HOST:PORT` or `*.DOMAIN`) and returns them in lower
 * case. Throws a `Problem` 400 for an invalid host and for one that no tool may reach.
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
    throw new Problem(400, `tool.json: ${field} has ${toShownName(text, 100)}, ${why}`);
  };
  if (parts === undefined || !isHost(parts.host)) {
    return refuse(
      'which is not a host. Write "example.com", "example.com:8443" or "*.example.com", without scheme, path or user.',
    );
  }
  const { host, port } = parts;
  if (port !== undefined && (port < 1 || port > 65_535)) {
    return refuse("whose port is invalid. Use a port from 1 to 65535.");
  }
  if (isForbidden(host)) {
    return refuse(
      "which belongs to the server's own network or its cloud provider. Remove it: no tool may reach it.",
    );
  }
  if (privateHosts === "never" && isPrivate(host)) {
    return refuse("which is private. Remove it: this server lets tools reach public hosts only.");
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
// The last label can't be a number: `127.1` and `0x7f.1` are spellings of addresses.
const last = "(?=[a-z0-9-]*[a-z])(?!0x[0-9a-f]*$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const nameForm = new RegExp(`^(?:${label}\\.)*${last}$`, "u");

function isHost(host: string): boolean {
  if (isIP(host) !== 0) return !host.includes("%");
  if (host.length > 253) return false;
  if (!host.startsWith("*.")) return nameForm.test(host);
  // `*.com` is too broad to be intended.
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
  // `BlockList` unwraps `::ffff:…` itself; the older and the translated forms are listed below.
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
// An address that is not global unicast is local or wraps an IPv4 address.
local.addSubnet("::", 3, "ipv6");
local.addSubnet("8000::", 1, "ipv6");
