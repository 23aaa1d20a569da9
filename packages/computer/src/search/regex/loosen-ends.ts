import { joinNodes } from "./join-nodes.ts";
import { emptyNode, type RegexNode } from "./regex-node.ts";

/**
 * Takes off what a pattern may repeat at its ends beyond what it must: whether a line has a match
 * does not depend on it, and `.*` in front would try every line from each of its places.
 */
export function loosenEnds(node: RegexNode): RegexNode {
  return loosenEnd(loosenEnd(node, "front"), "back");
}

function loosenEnd(node: RegexNode, side: "front" | "back"): RegexNode {
  switch (node.kind) {
    case "repeat":
      if (node.least === 0) return emptyNode;
      return node.least === 1 ? loosenEnd(node.part, side) : { ...node, most: node.least };
    case "choice":
      return { ...node, branches: node.branches.map((branch) => loosenEnd(branch, side)) };
    case "sequence":
      return loosenSequence(node.parts, side);
    default:
      return node;
  }
}

function loosenSequence(parts: readonly RegexNode[], side: "front" | "back"): RegexNode {
  const outer = side === "front" ? parts[0] : parts.at(-1);
  if (outer === undefined) return emptyNode;
  const rest = side === "front" ? parts.slice(1) : parts.slice(0, -1);
  const loose = loosenEnd(outer, side);
  // What is left may be loose itself, now that it stands at the end.
  if (loose.kind === "sequence" && loose.parts.length === 0) return loosenSequence(rest, side);
  return joinNodes(side === "front" ? [loose, ...rest] : [...rest, loose]);
}
