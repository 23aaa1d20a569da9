import { ToolError } from "@haft/contract";
import { findCodec } from "./find-codec.ts";
import { rankLegacyEncodings } from "./legacy-encodings.ts";
import type { EncodingName } from "./text-codec.ts";

/** How many bytes are read to distinguish text from other data. */
const sniffedBytes = 8 * 1024;

/**
 * Detects the encoding of a file that starts with these bytes, or is all of them. Throws `binary` if
 * it is not text. UTF-8 and UTF-16 may contain a few broken characters; any other encoding of a whole
 * file reproduces its exact bytes.
 */
export function detectEncoding(head: Uint8Array, isWhole: boolean, path: string): EncodingName {
  const marked = findMark(head);
  if (marked === "utf-32") throw binaryFile(path);
  if (marked !== undefined) return marked;
  if (head.subarray(0, sniffedBytes).includes(0)) {
    const wide = findWideEncoding(head, isWhole);
    if (wide === undefined) throw binaryFile(path);
    return wide;
  }
  return detectUnmarked(head, isWhole, path);
}

/** Detects the encoding of bytes from anywhere in a file without a mark that is not UTF-16. */
export function detectUnmarked(head: Uint8Array, isWhole: boolean, path: string): EncodingName {
  if (decodes(head, isWhole, "utf-8")) return isIso2022Jp(head, isWhole) ? "iso-2022-jp" : "utf-8";
  if (hasManyControls(head.subarray(0, sniffedBytes))) throw binaryFile(path);
  const sample = takeSample(head);
  if (isBrokenUtf8(sample)) return "utf-8";
  const names = rankLegacyEncodings(sample);
  const name = isWhole ? names.find((each) => isExactly(head, each)) : names[0];
  // It has a character for every byte, so nothing is lost if the guess is wrong.
  return name ?? "windows-1252";
}

/** Decodes UTF-8, by far the most common encoding, without its mark. */
export function decodePlainUtf8(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, sniffedBytes).includes(0)) return undefined;
  const mark = findMark(bytes);
  if (mark !== undefined && mark !== "utf-8") return undefined;
  try {
    const text = findCodec("utf-8").decode(bytes.subarray(mark === "utf-8" ? 3 : 0));
    // Searched here because strings are searched ten times as fast as bytes.
    return text.includes(escapeText) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns the length of the byte order mark of a file. */
export function markLength(bytes: Uint8Array, encoding: EncodingName): number {
  if (findMark(bytes) !== encoding) return 0;
  return encoding === "utf-8" ? 3 : 2;
}

function findMark(bytes: Uint8Array): EncodingName | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== 0xff || second !== 0xfe) return undefined;
  // UTF-32 starts the same way, but is not used for source code.
  return third === 0 && fourth === 0 ? "utf-32" : "utf-16le";
}

// Fewer units are not conclusive.
const minWideUnits = 4;

/**
 * Detects UTF-16 without a mark: at least half of the units are below 256, so that one of two bytes
 * is zero, and hardly ever the other one.
 */
function findWideEncoding(bytes: Uint8Array, isWhole: boolean): EncodingName | undefined {
  const units = bytes.length >> 1;
  if (units < minWideUnits || (isWhole && bytes.length % 2 === 1)) return undefined;
  const zeros: [even: number, odd: number] = [0, 0];
  for (let at = 0; at < units * 2; at++) if (bytes[at] === 0) zeros[(at % 2) as 0 | 1]++;
  const [less, more] = zeros.toSorted((one, other) => one - other) as [number, number];
  if (more < units / 2 || less > more / 4) return undefined;
  const name = zeros[1] === more ? "utf-16le" : "utf-16be";
  try {
    const decoder = new TextDecoder(name, { fatal: true });
    return decoder.decode(bytes, { stream: !isWhole }).includes("\0") ? undefined : name;
  } catch {
    return undefined;
  }
}

function decodes(bytes: Uint8Array, isWhole: boolean, name: EncodingName): boolean {
  try {
    new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !isWhole });
    return true;
  } catch {
    return false;
  }
}

const escapeByte = 0x1b;
const escapeText = String.fromCharCode(escapeByte);
const dollar = 0x24;

function isIso2022Jp(bytes: Uint8Array, isWhole: boolean): boolean {
  const at = bytes.indexOf(escapeByte);
  if (at === -1 || bytes[at + 1] !== dollar) return false;
  return isWhole ? isExactly(bytes, "iso-2022-jp") : decodes(bytes, isWhole, "iso-2022-jp");
}

function isExactly(bytes: Uint8Array, name: EncodingName): boolean {
  const codec = findCodec(name);
  try {
    const again = codec.encode(codec.decode(bytes));
    return again instanceof Uint8Array && areEqual(again, bytes);
  } catch {
    return false;
  }
}

const maxSampledBytes = 16 * 1024;
const lineFeed = 0x0a;

/** Returns the first lines beyond ASCII. No other encoding has a line feed inside a character. */
function takeSample(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, maxSampledBytes));
  let length = 0;
  for (let at = 0; at < bytes.length && length < sample.length; at++) {
    if ((bytes[at] as number) < 0x80) continue;
    const start = bytes.lastIndexOf(lineFeed, at) + 1;
    const next = bytes.indexOf(lineFeed, at);
    const end = next === -1 ? bytes.length : next + 1;
    const line = bytes.subarray(start, Math.min(end, start + sample.length - length));
    sample.set(line, length);
    length += line.length;
    at = end - 1;
  }
  return sample.subarray(0, length);
}

// About a tenth of compressed or random bytes are controls, in text hardly any.
const maxControls = 0.02;

function hasManyControls(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && !isUsualControl(byte)) controls++;
  return controls > bytes.length * maxControls;
}

/** Backspace, tab, line feed, vertical tab, form feed, carriage return and escape. */
function isUsualControl(byte: number): boolean {
  return (byte >= 0x08 && byte <= 0x0d) || byte === escapeByte;
}

/** Tells whether more sequences are valid UTF-8 than not, which is no accident in other text. */
function isBrokenUtf8(bytes: Uint8Array): boolean {
  let good = 0;
  let bad = 0;
  for (const [run] of new TextDecoder().decode(bytes).matchAll(/\P{ASCII}/gu)) {
    if (run === "\ufffd") bad++;
    else good++;
  }
  return good > bad;
}

function areEqual(some: Uint8Array, others: Uint8Array): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

function binaryFile(path: string): ToolError {
  return new ToolError("binary", `Not text: ${path} is a binary file.`, { absolutePath: path });
}
