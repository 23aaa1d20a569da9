import type { RegexNode } from "./regex-node.ts";

/** Writes a node for JavaScript's `v` mode. */
export function toRegexSource(node: RegexNode): string {
  switch (node.kind) {
    case "text":
      return escapeText(node.text);
    case "set":
    case "assertion":
      return node.source;
    case "sequence":
      return node.parts.map(toPartSource).join("");
    case "choice":
      return node.branches.map(toRegexSource).join("|");
    case "repeat":
      return `${toUnitSource(node.part)}${toQuantifier(node.min, node.max)}`;
  }
}

function toPartSource(node: RegexNode): string {
  return node.kind === "choice" ? `(?:${toRegexSource(node)})` : toRegexSource(node);
}

// A unit that a quantifier can follow.
function toUnitSource(node: RegexNode): string {
  const source = toRegexSource(node);
  const isUnit = node.kind === "set" || (node.kind === "text" && [...node.text].length === 1);
  return isUnit ? source : `(?:${source})`;
}

function toQuantifier(min: number, max: number): string {
  if (min === 0 && max === 1) return "?";
  if (max === Number.POSITIVE_INFINITY) {
    if (min === 0) return "*";
    return min === 1 ? "+" : `{${min},}`;
  }
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function escapeText(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
