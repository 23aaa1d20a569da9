import { joinNodes } from "./join-nodes.ts";
import { emptyNode, type RegexNode } from "./regex-node.ts";

/**
 * Removes optional repetitions at the ends of a pattern: they don't affect whether a line matches, and
 * a leading `.*` would try every line from each position.
 */
export function loosenEnds(node: RegexNode): RegexNode {
  return loosenEnd(loosenEnd(node, "front"), "back");
}

function loosenEnd(node: RegexNode, side: "front" | "back"): RegexNode {
  switch (node.kind) {
    case "repeat":
      if (node.min === 0) return emptyNode;
      return node.min === 1 ? loosenEnd(node.part, side) : { ...node, max: node.min };
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
  // What is left may be optional itself, now that it is at the end.
  if (loose.kind === "sequence" && loose.parts.length === 0) return loosenSequence(rest, side);
  return joinNodes(side === "front" ? [loose, ...rest] : [...rest, loose]);
}
