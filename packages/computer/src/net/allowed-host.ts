import { readHost, showHost } from "./host-name.ts";

/** A host that a person granted by name, with one port or all. */
export interface AllowedHost {
  /** A name or an address, in lower case, without brackets; `*.` and a name for its subdomains. */
  readonly host: string;
  readonly port: number | undefined;
}

/** Where a connection is to go. */
export interface Destination {
  /** As `readHost` spells it. */
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `HOST`, `HOST:PORT` or `*.DOMAIN`; an IPv6 address with a port needs brackets. Throws a
 * `TypeError` for anything else.
 */
export function parseAllowedHost(text: string): AllowedHost {
  const whole = readPattern(text);
  if (whole !== undefined) return { host: whole, port: undefined };
  const [, hostText = "", portText = ""] = /^(.+):(\d{1,5})$/su.exec(text) ?? [];
  const port = Number(portText);
  // Without brackets nobody could tell the port from the last part of an IPv6 address.
  const host = !hostText.includes(":") || hostText.startsWith("[") ? readPattern(hostText) : "";
  if (!host || port < 1 || port > 65_535) throw new TypeError(explainJunk(text));
  return { host, port };
}

/** `HOST` or `HOST:PORT`, as `parseAllowedHost` reads it. */
export function formatAllowedHost({ host, port }: AllowedHost): string {
  return port === undefined ? host : `${showHost(host)}:${port}`;
}

/**
 * Tells whether a person granted exactly this host, and so its private addresses too. A pattern of
 * subdomains does not: whoever runs the domain decides where they point.
 */
export function isNamed({ host, port }: Destination, allowed: readonly AllowedHost[]): boolean {
  return allowed.some(
    (each) => each.host === host && (each.port === undefined || each.port === port),
  );
}

/** Tells whether those entries that speak of the host all speak of other ports. */
export function isOtherPort({ host, port }: Destination, allowed: readonly AllowedHost[]): boolean {
  const fitting = allowed.filter((each) => coversHost(each.host, host));
  return (
    fitting.length > 0 && fitting.every((each) => each.port !== undefined && each.port !== port)
  );
}

function coversHost(pattern: string, host: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : pattern === host;
}

function readPattern(text: string): string | undefined {
  if (!text.startsWith("*.")) return readHost(text);
  const domain = readHost(text.slice(2));
  // An address has no subdomains, and all of `com` is not what a person means.
  return domain?.includes(".") && /[a-z]/u.test(domain) ? `*.${domain}` : undefined;
}

function explainJunk(text: string): string {
  const shown = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  if (text.includes("@")) {
    return "A host to allow is HOST or HOST:PORT, without a user or password.";
  }
  if (text.includes("//")) {
    return `${shown} is a URL. Give the host alone, HOST or HOST:PORT, such as example.com:8080.`;
  }
  if (text.includes("*")) {
    return `${shown} is too wide. Name the host, or *.example.com for the subdomains of one domain.`;
  }
  return `${shown} is no host. Give HOST or HOST:PORT, such as example.com, 10.0.0.5:8080 or [::1]:3000.`;
}
