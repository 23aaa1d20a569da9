import { ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import type { Destination } from "./allowed-host.ts";
import { readHost, showHost } from "./host-name.ts";

/** A parsed URL and the destination it leads to. */
export interface WebUrl extends Destination {
  readonly url: URL;
  readonly isSecure: boolean;
  /** Value of the `Host` header. */
  readonly authority: string;
}

/** Why a URL can't be requested, as the end of a sentence. Never contains the URL's text. */
export type UrlFault =
  | "is not valid"
  | "has a user or password"
  | "is not http or https"
  | "has no valid host";

/** Parses a URL, relative ones against a base. */
export function readWebUrl(text: string, base?: URL): WebUrl | UrlFault {
  const url = URL.parse(text, base?.href);
  if (url === null) return "is not valid";
  if (url.username !== "" || url.password !== "") return "has a user or password";
  if (url.protocol !== "http:" && url.protocol !== "https:") return "is not http or https";
  const host = readHost(url.hostname);
  if (host === undefined) return "has no valid host";
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  if (port === 0) return "has no valid host";
  const authority = url.port === "" ? showHost(host) : `${showHost(host)}:${url.port}`;
  return { url, isSecure, host, port, authority };
}

/** Parses the URL of a tool's request; throws `invalid-arguments`. */
export function requireWebUrl(text: string): WebUrl {
  const read = readWebUrl(text);
  if (typeof read !== "string") return read;
  // Even an invalid URL may contain a password, so it is not repeated.
  throw new ToolError(
    "invalid-arguments",
    `The URL ${read}. Give one such as https://example.com/page, without a user or password.`,
  );
}

/** A URL for people to read: without its query, which may hold secrets. */
export function showUrl({ url }: WebUrl): string {
  const shown = `${url.origin}${url.pathname}`;
  return clipText(shown, maxShownLength);
}

const maxShownLength = 200;
