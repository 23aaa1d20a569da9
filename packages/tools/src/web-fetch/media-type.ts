import { findImageType } from "../read/image-type.ts";

/** How a page can be converted. */
export type PageKind = "html" | "json" | "text" | "pdf" | "binary";

/** A content type and its encoding. */
export interface MediaType {
  /** In lower case, without parameters; empty if the server sent none. */
  readonly type: string;
  readonly charset: string | undefined;
}

/** Parses a `Content-Type` header. */
export function readMediaType(header: string): MediaType {
  const [type = "", ...parameters] = header.slice(0, maxHeaderLength).split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([^\s"']+)/iu.exec(parameter)?.[1])
    .find((found) => found !== undefined);
  const name = type.trim().toLowerCase();
  return { type: isType.test(name) ? name : "", charset };
}

/** Determines the kind of a page from its content type, or else from its content. */
export function findPageKind(type: string, body: Uint8Array): PageKind {
  const known = kinds.find(([pattern]) => pattern.test(type))?.[1];
  // The type that servers send for unknown content.
  if (known !== undefined && type !== "application/octet-stream") return known;
  const head = new TextDecoder("latin1").decode(body.subarray(0, 1_024));
  if (head.includes("%PDF-")) return "pdf";
  if (findImageType(body) !== undefined) return "binary";
  const start = head.replace(/^(?:\u00ef\u00bb\u00bf)?\s*/u, "");
  if (/^<(?:!doctype\s+html|html|head|body)\b/iu.test(start)) return "html";
  return /^[[{]/u.test(start) ? "json" : "text";
}

const maxHeaderLength = 500;
const isType = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/u;

const kinds: readonly (readonly [RegExp, PageKind])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/u, "html"],
  [/^(?:application|text)\/(?:x-)?pdf$/u, "pdf"],
  [/^(?:application|text)\/(?:[a-z0-9.-]+\+)?json$/u, "json"],
  [
    /^text\/|\+xml$|^application\/(?:x-)?(?:xml|javascript|ecmascript|typescript|yaml|toml|sh|sql|graphql|ndjson|jsonl|latex|tex|httpd-php|subrip|mbox)$/u,
    "text",
  ],
  [/^(?:image|audio|video|font|model)\//u, "binary"],
  [
    /^application\/(?:zip|gzip|zstd|wasm|msword|rtf|epub\+zip|java-archive|octet-stream|(?:x-)?(?:tar|bzip2?|xz|7z-compressed|rar-compressed|gzip|shockwave-flash|executable|msdownload)|vnd\..*)$/u,
    "binary",
  ],
];
