import { ToolError } from "@haft/contract";
import { inflateSome } from "./inflate-some.ts";

// No page and no picture has more.
const mostInflatedBytes = 128 * 1024 * 1024;
const mostInspectedBytes = 4 * 1024 * 1024;
const mostStreams = 50_000;
const mostLayers = 3;

// Codes of characters have two bytes; some fonts list them one range at a time.
const mostMappedCodes = 1_000_000;

/**
 * Throws `failed` for a PDF that would take its reader's memory or time for itself: streams that
 * hold a thousand times what they seem to, tables of characters of which there are none. It finds
 * what is written plainly; what is disguised, only a reader that can be stopped is safe from.
 */
export async function inspectPdf(bytes: Uint8Array): Promise<void> {
  const text = new TextDecoder("latin1").decode(bytes);
  const mapped = new MappedCodes();
  let streams = 0;
  let objectsFrom = 0;
  for (const { index, 0: opening } of text.matchAll(/\bstream\r?\n/gu)) {
    if (index < objectsFrom) continue;
    if (++streams > mostStreams) throw unreasonable();
    requireShortTables(text.slice(objectsFrom, index));
    const start = index + opening.length;
    const end = text.indexOf("endstream", start);
    objectsFrom = end < 0 ? text.length : end;
    await inspectStream(bytes.subarray(start, objectsFrom), mapped);
  }
  requireShortTables(text.slice(objectsFrom));
}

async function inspectStream(packed: Uint8Array, mapped: MappedCodes): Promise<void> {
  let content = packed;
  for (let layer = 0; layer < mostLayers && isDeflated(content); layer++) {
    const inflated = await inflateSome(content, mostInflatedBytes, mostInspectedBytes);
    if (inflated.isTooMuch) throw unreasonable();
    content = inflated.head;
  }
  const text = new TextDecoder("latin1").decode(content.subarray(0, mostInspectedBytes));
  mapped.add(text);
  // Streams of objects have dictionaries in them, and pictures do not.
  if (/\/(?:W2?|Type|Widths)\b/u.test(text)) requireShortTables(text);
}

function isDeflated([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

// Places in the file, not numbers of characters.
const placeNames = new Set(["/H", "/ByteRange", "/Index"]);
const largestNumber = 1_000_000;
const tokens = /[[\]]|\/[^\s/[\]<>(){}%]*|[^\s/[\]<>(){}%]+/gu;

/** Lists of widths name the first and the last of the characters they are for. */
function requireShortTables(text: string): void {
  let isTable = false;
  let previous = "";
  // Two numbers before an R are no numbers.
  let waiting: string[] = [];
  const settle = (left: number): void => {
    for (const number of waiting.splice(0, waiting.length - left)) {
      if (Number(number) > largestNumber) throw unreasonable();
    }
  };
  for (const [token] of text.matchAll(tokens)) {
    if (token === "[" || token === "]") {
      settle(0);
      isTable = token === "[" && !placeNames.has(previous);
    } else if (token === "R") waiting = [];
    else if (isTable) {
      waiting.push(token);
      if (waiting.length > 2) settle(2);
    }
    previous = token;
  }
  settle(0);
}

// The first code, the last, and what the first of them means.
const row = /<([^<>]*)>\s*<([^<>]*)>\s*(?:<[^<>]*>|\[[^[\]]*\]|\d+)/gu;

/** How many codes the tables of characters give a meaning to. */
class MappedCodes {
  #codes = 0;

  add(text: string): void {
    for (const [, ranges = ""] of text.matchAll(/begin(?:bf|cid|notdef)range(.*?)(?:end|$)/gsu)) {
      // Who writes codes in other ways wants them not to be seen.
      if (/[^\s<>[\]0-9a-f]/iu.test(ranges)) throw unreasonable();
      for (const [, low = "", high = ""] of ranges.matchAll(row)) {
        this.#codes += Math.max(0, toCode(high) - toCode(low));
      }
      if (this.#codes > mostMappedCodes) throw unreasonable();
    }
  }
}

function toCode(digits: string): number {
  return Number.parseInt(digits.replaceAll(/\s/gu, "").padEnd(1, "0"), 16);
}

function unreasonable(): ToolError {
  return new ToolError(
    "failed",
    "The PDF was not read: it is built in a way that would take all memory or never end.",
  );
}
