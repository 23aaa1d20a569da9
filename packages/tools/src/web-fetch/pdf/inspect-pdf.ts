import { ToolError } from "@haft/contract";
import { inflateSome } from "./inflate-some.ts";

// No page or picture is larger.
const maxInflatedBytes = 128 * 1024 * 1024;
const maxInspectedBytes = 4 * 1024 * 1024;
const maxStreams = 50_000;
const maxLayers = 3;

// Character codes have two bytes; some fonts list them one range at a time.
const maxMappedCodes = 1_000_000;

/**
 * Throws `failed` for a PDF that would exhaust memory or time: streams that expand a thousandfold,
 * tables of characters that do not exist. It detects only what is not disguised; against the rest, the
 * reader must run where it can be stopped.
 */
export async function inspectPdf(bytes: Uint8Array): Promise<void> {
  const text = new TextDecoder("latin1").decode(bytes);
  const mapped = new MappedCodes();
  let streams = 0;
  let objectsFrom = 0;
  for (const { index, 0: opening } of text.matchAll(/\bstream\r?\n/gu)) {
    if (index < objectsFrom) continue;
    if (++streams > maxStreams) throw unreasonable();
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
  for (let layer = 0; layer < maxLayers && isDeflated(content); layer++) {
    const inflated = await inflateSome(content, maxInflatedBytes, maxInspectedBytes);
    if (inflated.isTooMuch) throw unreasonable();
    content = inflated.head;
  }
  const text = new TextDecoder("latin1").decode(content.subarray(0, maxInspectedBytes));
  mapped.add(text);
  // Object streams contain dictionaries, pictures do not.
  if (/\/(?:W2?|Type|Widths)\b/u.test(text)) requireShortTables(text);
}

function isDeflated([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

// These hold file offsets, not character codes.
const offsetNames = new Set(["/H", "/ByteRange", "/Index"]);
const maxNumber = 1_000_000;
// The lengths are limited because a match of millions of characters overflows the stack. A longer run is
// read as several tokens; those of a number are still too large.
const tokens = /[[\]]|\/[^\s/[\]<>(){}%]{0,200}|[^\s/[\]<>(){}%]{1,200}/gu;

/** Refuses width tables for too many characters. They name the first and last character. */
function requireShortTables(text: string): void {
  let isTable = false;
  let previous = "";
  // Two numbers before an R are a reference.
  let waiting: string[] = [];
  const settle = (left: number): void => {
    for (const number of waiting.splice(0, waiting.length - left)) {
      if (Number(number) > maxNumber) throw unreasonable();
    }
  };
  for (const [token] of text.matchAll(tokens)) {
    if (token === "[" || token === "]") {
      settle(0);
      isTable = token === "[" && !offsetNames.has(previous);
    } else if (token === "R") waiting = [];
    else if (isTable) {
      waiting.push(token);
      if (waiting.length > 2) settle(2);
    }
    previous = token;
  }
  settle(0);
}

// The first code, the last code, and the meaning of the first.
const row = /<([^<>]*)>\s*<([^<>]*)>\s*(?:<[^<>]*>|\[[^[\]]*\]|\d+)/gu;

/** Counts the codes that character tables map. */
class MappedCodes {
  #codes = 0;

  add(text: string): void {
    for (const [, ranges = ""] of text.matchAll(/begin(?:bf|cid|notdef)range(.*?)(?:end|$)/gsu)) {
      // Codes in any other notation are an attempt to hide them.
      if (/[^\s<>[\]0-9a-f]/iu.test(ranges)) throw unreasonable();
      for (const [, low = "", high = ""] of ranges.matchAll(row)) {
        this.#codes += Math.max(0, toCode(high) - toCode(low));
      }
      if (this.#codes > maxMappedCodes) throw unreasonable();
    }
  }
}

function toCode(digits: string): number {
  return Number.parseInt(digits.replaceAll(/\s/gu, "").padEnd(1, "0"), 16);
}

function unreasonable(): ToolError {
  return new ToolError(
    "failed",
    "The PDF was not read: its structure would exhaust memory or time.",
  );
}
