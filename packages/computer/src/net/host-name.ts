import { isIP, isIPv6 } from "node:net";

/**
 * The one spelling under which a host is judged and reached: lower case, no brackets, no dot at the
 * end, addresses in their usual form, however they were written. `undefined` for what is no host.
 */
export function readHost(text: string): string | undefined {
  const bare = /^\[.*\]$/su.test(text) ? text.slice(1, -1) : text;
  if (isIPv6(bare)) return bare.includes("%") ? undefined : readUrlHost(`[${bare}]`)?.slice(1, -1);
  if (bare !== text) return undefined;
  const name = text.endsWith(".") ? text.slice(0, -1) : text;
  if (name.length > longestName || !name.split(".").every((label) => isLabel.test(label))) {
    return undefined;
  }
  // The system's resolver takes `0x7f.1` for an address; so do URLs, and these tell which.
  return readUrlHost(name);
}

/** Tells whether a name is this machine's own by definition, whatever a resolver says. */
export function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

/**
 * Tells whether a name has its meaning only inside some local network. No resolver is asked for it:
 * even whether it is known is nobody's business.
 */
export function isLocalName(host: string): boolean {
  if (isIP(host) !== 0) return false;
  return !host.includes(".") || localSuffixes.some((suffix) => host.endsWith(suffix));
}

/** A host as it stands before a port. */
export function showHost(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

const longestName = 253;
const isLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu;
const localSuffixes = [".localhost", ".local", ".internal", ".home.arpa"];

function readUrlHost(host: string): string | undefined {
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : undefined;
}
