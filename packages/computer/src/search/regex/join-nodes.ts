import { emptyNode, type RegexNode } from "./regex-node.ts";

/**
 * Joins nodes to a sequence. Neighbouring characters become one text, so that required texts are known
 * at their full length.
 */
export function joinNodes(parts: readonly RegexNode[]): RegexNode {
  const joined: RegexNode[] = [];
  for (const part of parts.flatMap((each) => (each.kind === "sequence" ? each.parts : [each]))) {
    const last = joined.at(-1);
    if (part.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", text: last.text + part.text };
    } else joined.push(part);
  }
  const [only] = joined;
  if (only === undefined) return emptyNode;
  return joined.length === 1 ? only : { kind: "sequence", parts: joined };
}
