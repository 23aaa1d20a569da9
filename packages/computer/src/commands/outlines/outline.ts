/**
 * What a parser saw, in order: words as spans, and the signs between them. Parsers agree if their
 * outlines are equal; the shapes of their trees don't matter.
 */
export type Outline = readonly number[];

/** Builds an outline. */
export interface OutlineBuilder {
  word(start: number, end: number): void;
  /** A sign or a keyword. An unknown one makes the outline invalid. */
  sign(text: string): void;
  /** The end of a statement, recorded once however often it is reported. */
  end(): void;
  /** The body of a here-document further up. */
  body(start: number, end: number): void;
  /** `undefined` if there was something unknown. */
  finish(): Outline | undefined;
}

/** Creates an empty outline. */
export function createOutline(): OutlineBuilder {
  const items: number[] = [];
  const bodies: number[] = [];
  let isKnown = true;
  let isOpen = true;
  const end = (): void => {
    if (!isOpen) items.push(endCode);
    isOpen = true;
  };
  return {
    end,
    word: (start, stop) => {
      items.push(start, stop);
      isOpen = false;
    },
    sign: (text) => {
      const code = signs.get(text);
      if (code === undefined) isKnown = false;
      else {
        if (closing.has(text)) end();
        items.push(code);
        isOpen = opening.has(text);
      }
    },
    body: (start, stop) => {
      bodies.push(start, stop);
    },
    finish: () => {
      end();
      return isKnown ? [...items, ...bodies] : undefined;
    },
  };
}

const closing: ReadonlySet<string> = new Set(") } then elif else fi do done".split(" "));
const opening: ReadonlySet<string> = new Set("& ( { if then elif else while until do".split(" "));
const others = "| |& && || ! < > >> >| <& >& &> &>> <> << <<- <<< [[ ]]".split(" ");

const endCode = -1;

const signs: ReadonlyMap<string, number> = new Map(
  [...closing, ...opening, ...others].map((text, index) => [text, -2 - index]),
);

/** Returns whether two outlines are equal. */
export function isSameOutline(one: Outline, other: Outline): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
