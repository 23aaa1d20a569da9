/** Where a value stands in a text of JSON that may have comments. */
export interface LocatedValue {
  readonly start: number;
  readonly end: number;
  /** Only an object has it. */
  readonly inside?: LocatedInside;
}

/** What is between the braces of an object. */
export interface LocatedInside {
  readonly members: readonly LocatedMember[];
  /** Where the last thing in it ends, be it a comment. */
  readonly end: number;
  readonly endsWithComma: boolean;
}

/** A member of an object. */
export interface LocatedMember {
  readonly key: string;
  readonly start: number;
  readonly value: LocatedValue;
}

/** Locates the value of a text that is known to be well formed; none where it is all comments. */
export function locateJson(text: string): LocatedValue | undefined {
  const pieces = createPieces(text);
  return pieces.peek() === undefined ? undefined : locateValue(pieces);
}

interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Pieces {
  /** The next piece that is no comment. */
  peek(): Piece | undefined;
  take(): Piece;
  /** Where the last piece before the next one ends, be it a comment. */
  readonly before: number;
}

// Comments, texts, punctuation, and everything else that is a value.
const pattern = /\/\/[^\n\r]*|\/\*.*?\*\/|"(?:\\.|[^"\\])*"|[{}[\],:]|[^\s{}[\],:"/]+/gsu;

function createPieces(text: string): Pieces {
  const found = text.matchAll(pattern);
  let before = 0;
  let next: Piece | undefined;
  advance(0);
  return {
    peek: () => next,
    take: () => {
      if (next === undefined) throw new Error("The text ends too early.");
      const taken = next;
      advance(taken.end);
      return taken;
    },
    get before() {
      return before;
    },
  };

  function advance(from: number): void {
    before = from;
    next = undefined;
    for (const { 0: piece, index: start } of found) {
      const end = start + piece.length;
      if (piece.startsWith("//") || piece.startsWith("/*")) before = end;
      else {
        next = { text: piece, start, end };
        return;
      }
    }
  }
}

function locateValue(pieces: Pieces): LocatedValue {
  const first = pieces.take();
  if (first.text === "{") return locateObject(first.start, pieces);
  if (first.text !== "[") return { start: first.start, end: first.end };
  while (pieces.peek()?.text !== "]") {
    if (pieces.peek()?.text === ",") pieces.take();
    else locateValue(pieces);
  }
  return { start: first.start, end: pieces.take().end };
}

function locateObject(start: number, pieces: Pieces): LocatedValue {
  const members: LocatedMember[] = [];
  let endsWithComma = false;
  while (pieces.peek()?.text !== "}") {
    const piece = pieces.take();
    endsWithComma = piece.text === ",";
    if (endsWithComma) continue;
    pieces.take();
    const key = JSON.parse(piece.text) as string;
    members.push({ key, start: piece.start, value: locateValue(pieces) });
  }
  const end = pieces.before;
  return { start, end: pieces.take().end, inside: { members, end, endsWithComma } };
}
