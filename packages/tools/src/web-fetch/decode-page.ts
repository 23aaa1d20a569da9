import { ToolError } from "@haft/contract";
import { detectEncoding } from "../text/detect-encoding.ts";

/** How a page's bytes are to be read. */
export interface PageEncoding {
  /** As the server says it. */
  readonly charset: string | undefined;
  /** Whether the page itself may say it too. */
  readonly isMarkup: boolean;
  readonly isWhole: boolean;
}

/**
 * The text of a page: by its byte order mark, else as the server says, else as the page says, else
 * as it looks. Broken characters are replaced. Throws `binary` if it is no text.
 */
export function decodePage(body: Uint8Array, encoding: PageEncoding): string {
  const head = body.subarray(0, lookedAt);
  const name = findMark(body) ?? encoding.charset ?? (encoding.isMarkup ? readDeclared(head) : "");
  const decoder = toDecoder(name ?? "");
  if (decoder === undefined) {
    const found = detectEncoding(body, encoding.isWhole, "the page");
    return (toDecoder(found) ?? new TextDecoder()).decode(body);
  }
  // Of all encodings that servers name, only these have zeros in a text.
  if (!decoder.encoding.startsWith("utf-16") && head.includes(0)) {
    throw new ToolError("binary", "Not text.");
  }
  return decoder.decode(body);
}

const lookedAt = 8 * 1024;

function findMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : undefined;
}

const declaration =
  /<meta[^>]{0,300}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_:.+-]{2,40})|^\s*<\?xml[^>]{0,100}?encoding\s{0,9}=\s{0,9}["']([a-z0-9_:.+-]{2,40})/iu;

function readDeclared(head: Uint8Array): string | undefined {
  const text = new TextDecoder("latin1").decode(head);
  const [, meta, xml] = declaration.exec(text) ?? [];
  const name = meta ?? xml;
  // Who could read that it is UTF-16 has not read UTF-16.
  return name !== undefined && /^utf-?16/iu.test(name) ? "utf-8" : name;
}

function toDecoder(name: string): TextDecoder | undefined {
  if (name === "") return undefined;
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}
