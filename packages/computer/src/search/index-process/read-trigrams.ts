import { isAscii } from "node:buffer";
import { readSync } from "node:fs";
import { type ContentKind, contentKinds } from "./content-table.ts";
import { maxBytes, type OpenedFile, openFile, readContent } from "./read-content.ts";
import { TrigramCollector } from "./trigrams.ts";

/** The trigrams of a file. */
export interface FileTrigrams {
  readonly kind: ContentKind;
  /** Usable until the next file is read. */
  readonly hashes: Uint16Array;
  readonly longestLine: number;
}

/** Reads the trigrams of a file. An unreadable file has none, as for ripgrep. */
export function readTrigrams(path: string): FileTrigrams {
  collector.start();
  const kind = openFile(path, collect) ?? contentKinds.silent;
  return { kind, hashes: collector.hashes, longestLine: collector.longestLine };
}

const collector = new TrigramCollector();

// Other forms of ASCII letters: of s, and of K.
const longS = Buffer.from("\u017f");
const kelvin = Buffer.from("\u212a");

function collect(file: OpenedFile): ContentKind {
  const content = readContent(file);
  if (content.kind === "silent") return contentKinds.silent;
  if (content.kind === "unclear") return contentKinds.unknown;
  collector.feed(content.bytes);
  if (content.kind === "large") return collectRest(content.bytes.length, file);
  if (isAscii(content.bytes)) return contentKinds.filtered;
  const hasFolds = content.bytes.includes(longS) || content.bytes.includes(kelvin);
  return hasFolds ? contentKinds.folding : contentKinds.filtered;
}

// Such a file is never searched here, but this tells when it need not be searched at all.
function collectRest(start: number, { descriptor }: OpenedFile): ContentKind {
  const piece = Buffer.allocUnsafe(1024 * 1024);
  for (let total = start; total <= maxBytes * 8; ) {
    const length = readSync(descriptor, piece, 0, piece.length, null);
    if (length === 0) return contentKinds.folding;
    collector.feed(piece.subarray(0, length));
    total += length;
  }
  return contentKinds.unknown;
}
