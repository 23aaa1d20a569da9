import { findImageType } from "../read/image-type.ts";

/** What can be done with a page. */
export type PageKind = "html" | "json" | "text" | "pdf" | "binary";

/** A content type: what it is, and in which encoding. */
export interface MediaType {
  /** In lower case, without parameters; empty if nobody said it. */
  readonly type: string;
  readonly charset: string | undefined;
}

/** Reads a `Content-Type` header. */
export function readMediaType(header: string): MediaType {
  const [type = "", ...parameters] = header.slice(0, longestHeader).split(";");
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*["']?([^\s"']+)/iu.exec(parameter)?.[1])
    .find((found) => found !== undefined);
  const name = type.trim().toLowerCase();
  return { type: isType.test(name) ? name : "", charset };
}

/** What a page is: what its server says, and where that says nothing, what it looks like. */
export function findPageKind(type: string, body: Uint8Array): PageKind {
  const known = kinds.find(([pattern]) => pattern.test(type))?.[1];
  // The type that servers give to what they don't know.
  if (known !== undefined && type !== "application/octet-stream") return known;
  const head = new TextDecoder("latin1").decode(body.subarray(0, 1_024));
  if (head.includes("%PDF-")) return "pdf";
  if (findImageType(body) !== undefined) return "binary";
  const start = head.replace(/^(?:\u00ef\u00bb\u00bf)?\s*/u, "");
  if (/^<(?:!doctype\s+html|html|head|body)\b/iu.test(start)) return "html";
  return /^[[{]/u.test(start) ? "json" : "text";
}

const longestHeader = 500;
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
