import { ToolError } from "@haft/contract";
import type { Destination } from "./allowed-host.ts";
import { readHost, showHost } from "./host-name.ts";

/** A URL that can be asked for, and where that leads. */
export interface WebUrl extends Destination {
  readonly url: URL;
  readonly isSecure: boolean;
  /** What the `Host` header says. */
  readonly authority: string;
}

/** Why a URL can't be asked for, as the end of a sentence; its text is in none of them. */
export type UrlFault =
  | "is no URL"
  | "has a user or password"
  | "is not http or https"
  | "has no host that could be reached";

/** Reads a URL, relative ones against a base. */
export function readWebUrl(text: string, base?: URL): WebUrl | UrlFault {
  const url = URL.parse(text, base?.href);
  if (url === null) return "is no URL";
  if (url.username !== "" || url.password !== "") return "has a user or password";
  if (url.protocol !== "http:" && url.protocol !== "https:") return "is not http or https";
  const host = readHost(url.hostname);
  if (host === undefined) return "has no host that could be reached";
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  if (port === 0) return "has no host that could be reached";
  const authority = url.port === "" ? showHost(host) : `${showHost(host)}:${url.port}`;
  return { url, isSecure, host, port, authority };
}

/** The URL that a tool asks for; throws `invalid-arguments`. */
export function requireWebUrl(text: string): WebUrl {
  const read = readWebUrl(text);
  if (typeof read !== "string") return read;
  // What is no URL may have a password in it all the same.
  throw new ToolError(
    "invalid-arguments",
    `The URL ${read}. Give one such as https://example.com/page, without a user or password.`,
  );
}

/** A URL for people to read: without its query, which may hold secrets. */
export function showUrl({ url }: WebUrl): string {
  const shown = `${url.origin}${url.pathname}`;
  return shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
}

const longestShown = 200;
