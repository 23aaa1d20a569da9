import { composeSplices } from "../text/compose-splices.ts";
import { openText, type Splice, spliceText, type TextDocument } from "../text/text-document.ts";
import { strategies } from "./comparable-lines.ts";
import { explainMisfit } from "./explain-misfit.ts";
import { toFileLines, toMixedLines } from "./file-lines.ts";
import { toSplices } from "./hunk-splices.ts";
import type { PatchSection } from "./patch.ts";
import { type Fit, placeHunks, summarize } from "./place-hunks.ts";

/** The file that a draft starts from. */
export interface DraftBase {
  /** For messages. */
  readonly path: string;
  /** The path of the existing file, if there is one. */
  readonly origin?: string;
  /** The path of the file whose mode it takes, if it is a copy. */
  readonly like?: string | undefined;
  content(): Uint8Array;
}

/** A file with the changes of a patch so far, in memory. */
export class DraftFile {
  readonly #base: DraftBase;
  #document: TextDocument | undefined;
  #splices: readonly Splice[] = [];
  /** How its hunks were placed. */
  fit: Fit | undefined;
  isExecutable: boolean | undefined;

  constructor(base: DraftBase) {
    this.#base = base;
  }

  get origin(): string | undefined {
    return this.#base.origin;
  }

  /** The path of the file whose mode it starts with, if there is one. */
  get like(): string | undefined {
    return this.#base.origin ?? this.#base.like;
  }

  /** The original bytes. Throws if they may not be read. */
  get initial(): Uint8Array {
    return this.#base.content();
  }

  /** The original text. Throws `binary` if the file is not text. */
  get document(): TextDocument {
    this.#document ??= openText(this.initial, this.#base.path);
    return this.#document;
  }

  /** The changes of that text so far. */
  get splices(): readonly Splice[] {
    return this.#splices;
  }

  get text(): string {
    return spliceText(this.document.text, this.#splices);
  }

  get bytes(): Uint8Array {
    if (this.#splices.length === 0) return this.initial;
    return this.document.splice(this.#splices);
  }

  /** Creates a file with the same content at another path. */
  copy(path: string): DraftFile {
    const { bytes, like } = this;
    const copy = new DraftFile({ path, like, content: () => bytes });
    copy.isExecutable = this.isExecutable;
    return copy;
  }

  /** Applies all hunks of a section. Throws `conflict` if one does not fit. */
  apply(section: PatchSection): void {
    this.isExecutable = section.isExecutable ?? this.isExecutable;
    if (section.hunks.length === 0) return;
    const { path: name } = this.#base;
    // If the lines of a patch contain carriage returns, these do not end lines.
    const hasReturns = section.hunks.some(({ lines }) =>
      lines.some(({ text }) => text.includes("\r")),
    );
    const { text } = this;
    let file = toFileLines(text, !hasReturns);
    let placed = placeHunks(file, section);
    if ("reason" in placed && !hasReturns && /\r(?!\n)/u.test(text) && text.includes("\n")) {
      // Carriage returns between other line endings may be meant as such.
      const mixed = toMixedLines(text);
      const inMixed = placeHunks(mixed, section);
      if (!("reason" in inMixed)) [file, placed] = [mixed, inMixed];
    }
    if ("reason" in placed) throw explainMisfit(placed, { ...placed, name, file });
    const splices = toSplices(file, placed, { name, saysEnd: section.form === "unified" });
    this.#splices = composeSplices(this.#splices, splices);
    this.fit = unite(this.fit, summarize(placed));
  }
}

function unite(some: Fit | undefined, other: Fit): Fit {
  if (some === undefined) return other;
  const isLooser = strategies.indexOf(some.strategy) > strategies.indexOf(other.strategy);
  const isFarther = Math.abs(some.offset) > Math.abs(other.offset);
  return {
    strategy: isLooser ? some.strategy : other.strategy,
    offset: isFarther ? some.offset : other.offset,
  };
}
