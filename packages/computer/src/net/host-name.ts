import { isIP, isIPv6 } from "node:net";

/**
 * The canonical spelling under which a host is checked and reached: lower case, no brackets, no
 * trailing dot, addresses in their usual form. `undefined` for invalid hosts.
 */
export function readHost(text: string): string | undefined {
  const bare = /^\[.*\]$/su.test(text) ? text.slice(1, -1) : text;
  if (isIPv6(bare)) return bare.includes("%") ? undefined : readUrlHost(`[${bare}]`)?.slice(1, -1);
  if (bare !== text) return undefined;
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  if (name.length > maxNameLength || !name.split(".").every((label) => isLabel.test(label))) {
    return undefined;
  }
  // The system's resolver takes `0x7f.1` for an address. So does `URL`, which normalizes it.
  return readUrlHost(name);
}

/** Returns whether a name is defined to be this machine, whatever a resolver says. */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * Returns whether a name has a meaning only inside a local network. It is never resolved: even
 * whether it exists must not be disclosed.
 */
export function isLocalName(host: string): boolean {
  if (isIP(host) !== 0) return false;
  return !host.includes(".") || localSuffixes.some((suffix) => host.endsWith(suffix));
}

/** A host as written before a port: IPv6 addresses in brackets. */
export function showHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

const maxNameLength = 253;
const isLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu;
const localSuffixes = [".localhost", ".local", ".internal", ".home.arpa"];

function readUrlHost(host: string): string | undefined {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : undefined;
}
