import { ToolError } from "@haft/contract";

/** Headers by name, in lower case. */
export type HeaderFields = Readonly<Record<string, string>>;

/** Returns a tool's headers in lower case; throws `invalid-arguments` for headers it may not set. */
export function readHeaders(given: HeaderFields = {}): HeaderFields {
  const fields = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
  const bad = fields.find(
    ([name, value]) => !isName.test(name) || !isValue.test(value) || reservedHeaders.has(name),
  );
  if (bad === undefined) return Object.fromEntries(fields);
  throw new ToolError("invalid-arguments", `The header ${JSON.stringify(bad[0])} can't be sent.`);
}

/**
 * Returns the headers that may follow a redirect to another origin: content negotiation. Any other
 * header may be a credential.
 */
export function keepAcrossOrigins(headers: HeaderFields): HeaderFields {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)));
}

/** Returns the headers of a request whose body was dropped. */
export function withoutBody(headers: HeaderFields): HeaderFields {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith("content-")),
  );
}

const harmless = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/** Headers that control the transport; callers may not set them. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const isName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u;
const isValue = /^[\t\x20-\x7e\x80-\xff]*$/u;
