import { createScanner, type Node, parseTree, type SyntaxKind } from "jsonc-parser";

/** The position of a value in JSON text that may have comments. */
export interface LocatedValue {
  readonly start: number;
  readonly end: number;
  /** The content of an object; absent for other values. */
  readonly inside?: LocatedInside;
}

/** What is between the braces of an object. */
export interface LocatedInside {
  readonly members: readonly LocatedMember[];
  /** Where the last member, comma or comment ends. */
  readonly end: number;
  readonly endsWithComma: boolean;
}

/** A member of an object. */
export interface LocatedMember {
  readonly key: string;
  readonly start: number;
  readonly value: LocatedValue;
}

/** Locates the value of well-formed text; returns `undefined` for text that is only comments. */
export function locateJson(text: string): LocatedValue | undefined {
  // The parser does not know a byte order mark. A space keeps the positions.
  const plain = text.replace(/^\ufeff/u, " ");
  const root = parseTree(plain, [], { allowTrailingComma: true });
  return root === undefined ? undefined : toLocated(root, plain);
}

function toLocated(node: Node, text: string): LocatedValue {
  const { offset: start, length, type, children = [] } = node;
  const end = start + length;
  if (type !== "object") return { start, end };
  const members = children.flatMap((property): LocatedMember[] => {
    const [key, value] = property.children ?? [];
    if (key === undefined || value === undefined) return [];
    return [{ key: key.value, start: property.offset, value: toLocated(value, text) }];
  });
  const from = members.at(-1)?.value.end ?? start + 1;
  return { start, end, inside: { members, ...readEnd(text, from, end - 1) } };
}

// The values of `SyntaxKind`, a const enum that cannot be imported as a value.
const tokens: Readonly<Record<"comma" | "lineBreak" | "space", SyntaxKind>> = {
  comma: 5,
  lineBreak: 14,
  space: 15,
};

/** Reads what follows the last member: a comma, comments. */
function readEnd(text: string, from: number, to: number): Omit<LocatedInside, "members"> {
  const scanner = createScanner(text);
  scanner.setPosition(from);
  let end = from;
  let endsWithComma = false;
  for (let kind = scanner.scan(); scanner.getTokenOffset() < to; kind = scanner.scan()) {
    if (kind === tokens.space || kind === tokens.lineBreak) continue;
    if (kind === tokens.comma) endsWithComma = true;
    end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
  return { end, endsWithComma };
}
