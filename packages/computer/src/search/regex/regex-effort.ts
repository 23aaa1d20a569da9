import type { RegexNode } from "./regex-node.ts";

/**
 * The worst-case work of a backtracking matcher at one position of a line: `choices` times the length
 * of the line to the power of `unbounded`.
 */
export interface RegexEffort {
  readonly choices: number;
  readonly unbounded: number;
  /** Length of the pattern in characters, with its repetitions written out. */
  readonly size: number;
}

/**
 * Estimates the effort of a pattern. Undefined if it could grow exponentially with the line, or if
 * that can't be ruled out.
 */
export function weighRegex(node: RegexNode): RegexEffort | undefined {
  switch (node.kind) {
    case "text":
      return { ...plain, size: node.text.length };
    case "set":
    case "assertion":
      return plain;
    case "sequence":
      return weighSequence(node.parts);
    case "choice":
      return weighChoice(node.branches);
    case "repeat":
      return weighRepeat(node);
  }
}

const plain: RegexEffort = { choices: 1, unbounded: 0, size: 1 };

function weighSequence(parts: readonly RegexNode[]): RegexEffort | undefined {
  let { choices, unbounded, size } = plain;
  for (const part of parts) {
    const effort = weighRegex(part);
    if (effort === undefined) return undefined;
    choices *= effort.choices;
    unbounded += effort.unbounded;
    size += effort.size;
  }
  return { choices, unbounded, size };
}

function weighChoice(branches: readonly RegexNode[]): RegexEffort | undefined {
  let choices = 0;
  let unbounded = 0;
  let size = 0;
  for (const branch of branches) {
    const effort = weighRegex(branch);
    if (effort === undefined) return undefined;
    choices += effort.choices;
    unbounded = Math.max(unbounded, effort.unbounded);
    size += effort.size;
  }
  return { choices, unbounded, size };
}

function weighRepeat({
  part,
  min,
  max,
}: Extract<RegexNode, { kind: "repeat" }>): RegexEffort | undefined {
  const inner = weighRegex(part);
  if (inner === undefined) return undefined;
  if (max === 1) return { ...inner, choices: inner.choices + 1 - min };
  // When repeated, whatever can match in two ways can match in exponentially many.
  if (!isDefinite(part)) return undefined;
  if (max === Number.POSITIVE_INFINITY) {
    return { choices: 1, unbounded: 1, size: inner.size * (min + 1) };
  }
  return { choices: max - min + 1, unbounded: 0, size: inner.size * max };
}

/** Returns whether a node consumes at least one character, and can match a given text in one way only. */
function isDefinite(node: RegexNode): boolean {
  switch (node.kind) {
    case "text":
    case "set":
      return true;
    case "assertion":
      return false;
    case "sequence":
      return node.parts.length > 0 && node.parts.every(isDefinite);
    case "choice":
      return node.branches.every(isDefinite) && areToldApart(node.branches);
    case "repeat":
      return node.min === node.max && isDefinite(node.part);
  }
}

// By their first letters, in any case.
function areToldApart(branches: readonly RegexNode[]): boolean {
  const first = branches.map(findFirst);
  return first.every((letter) => letter !== undefined) && new Set(first).size === first.length;
}

function findFirst(node: RegexNode): string | undefined {
  if (node.kind === "text") {
    return String.fromCodePoint(node.text.codePointAt(0) ?? 0)
      .toUpperCase()
      .toLowerCase();
  }
  const [first] = node.kind === "sequence" ? node.parts : [];
  return first === undefined ? undefined : findFirst(first);
}
