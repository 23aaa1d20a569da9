import { clipText } from "@haft/contract/internal";
import { readHost, showHost } from "./host-name.ts";

/** A host that a person granted by name, with one port or all ports. */
export interface AllowedHost {
  /** A name or an address, in lower case, without brackets; `*.name` for the subdomains of a name. */
  readonly host: string;
  readonly port: number | undefined;
}

/** The host and port of a connection. */
export interface Destination {
  /** As `readHost` spells it. */
  readonly host: string;
  readonly port: number;
}

/**
 * Parses `HOST`, `HOST:PORT` or `*.DOMAIN`; an IPv6 address with a port needs brackets. Throws a
 * `TypeError` for anything else.
 */
export function parseAllowedHost(text: string): AllowedHost {
  const whole = readPattern(text);
  if (whole !== undefined) return { host: whole, port: undefined };
  const [, hostText = "", portText = ""] = /^(.+):(\d{1,5})$/su.exec(text) ?? [];
  const port = Number(portText);
  // Without brackets the port looks like the last group of an IPv6 address.
  const host = !hostText.includes(":") || hostText.startsWith("[") ? readPattern(hostText) : "";
  if (!host || port < 1 || port > 65_535) throw new TypeError(explainJunk(text));
  return { host, port };
}

/** `HOST` or `HOST:PORT`, as `parseAllowedHost` reads it. */
export function formatAllowedHost({ host, port }: AllowedHost): string {
  return port === undefined ? host : `${showHost(host)}:${port}`;
}

/**
 * Returns whether a person granted exactly this host, which includes its private addresses. A
 * subdomain pattern does not count: the owner of the domain decides where its subdomains point.
 */
export function isNamed({ host, port }: Destination, allowed: readonly AllowedHost[]): boolean {
  return allowed.some(
    (each) => each.host === host && (each.port === undefined || each.port === port),
  );
}

/** Returns whether the host was granted, but only with other ports. */
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
  // An address has no subdomains, and `*.com` is too wide to be meant.
  return domain?.includes(".") && /[a-z]/u.test(domain) ? `*.${domain}` : undefined;
}

function explainJunk(text: string): string {
  const shown = JSON.stringify(clipText(text, 100));
  if (text.includes("@")) {
    return "A host to allow is HOST or HOST:PORT, without a user or password.";
  }
  if (text.includes("//")) {
    return `${shown} is a URL. Give the host alone, HOST or HOST:PORT, such as example.com:8080.`;
  }
  if (text.includes("*")) {
    return `${shown} is too wide. Name the host, or *.example.com for the subdomains of one domain.`;
  }
  return `${shown} is not a host. Give HOST or HOST:PORT, such as example.com, 10.0.0.5:8080 or [::1]:3000.`;
}
