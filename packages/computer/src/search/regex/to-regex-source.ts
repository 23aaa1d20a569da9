import type { RegexNode } from "./regex-node.ts";

/** Writes a pattern for JavaScript's `v` mode. */
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
      return `${toUnitSource(node.part)}${toQuantifier(node.least, node.most)}`;
  }
}

function toPartSource(node: RegexNode): string {
  return node.kind === "choice" ? `(?:${toRegexSource(node)})` : toRegexSource(node);
}

// What a quantifier can stand behind.
function toUnitSource(node: RegexNode): string {
  const source = toRegexSource(node);
  const isUnit = node.kind === "set" || (node.kind === "text" && [...node.text].length === 1);
  return isUnit ? source : `(?:${source})`;
}

function toQuantifier(least: number, most: number): string {
  if (least === 0 && most === 1) return "?";
  if (most === Number.POSITIVE_INFINITY) {
    if (least === 0) return "*";
    return least === 1 ? "+" : `{${least},}`;
  }
  return least === most ? `{${least}}` : `{${least},${most}}`;
}

function escapeText(text: string): string {
  return text.replace(/[\^$\\.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
