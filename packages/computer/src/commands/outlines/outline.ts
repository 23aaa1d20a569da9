/**
 * What a parser saw, in order: words as the spans they take, and the signs between them. Parsers
 * agree if their outlines are the same; how they build their trees is their own affair.
 */
export type Outline = readonly number[];

/** Builds an outline. */
export interface OutlineBuilder {
  word(start: number, end: number): void;
  /** A sign or a keyword. One that is not known makes the outline worthless. */
  sign(text: string): void;
  /** The end of a statement, written down once however often it is said. */
  end(): void;
  /** The text of a redirection further up. */
  body(start: number, end: number): void;
  /** `undefined` if there was something unknown. */
  finish(): Outline | undefined;
}

/** Starts an outline. */
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

/** Whether two outlines are the same. */
export function isSameOutline(one: Outline, other: Outline): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
