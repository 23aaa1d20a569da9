import type { SchemaNode } from "./schema-node.ts";

/** How many schemas may apply to one value and what is inside it, along any one path. */
const maxEffort = 20_000;
/** How many schemas may lead to each other in a row. */
const maxChain = 500;

/**
 * Refuses a schema whose references multiply (a few references to references make billions) or lead in a
 * circle without going into the value. Schemas that contain themselves are fine: how far they go depends
 * on the value, and is counted when it is checked.
 */
export function requireBoundedEffort(root: SchemaNode): void {
  refuseCircles(root);
  const known = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>();
  const count = (node: SchemaNode): number => {
    if (open.has(node)) return 1;
    const before = known.get(node);
    if (before !== undefined) return before;
    open.add(node);
    if (open.size > maxChain) {
      throw new Error(`${node.pointer} is behind more than ${maxChain} references ($ref) in a row`);
    }
    let effort = 1;
    for (const one of node.inPlace) effort += count(one);
    for (const one of node.additional) effort += count(one);
    let highest = 0;
    for (const one of node.exclusive) highest = Math.max(highest, count(one));
    effort += highest;
    open.delete(node);
    known.set(node, effort);
    if (effort > maxEffort) {
      throw new Error(
        `${node.pointer} checks one value against more than ${maxEffort} schemas by its references ($ref) and choices (allOf, anyOf, oneOf). Refer to fewer of them`,
      );
    }
    return effort;
  };
  count(root);
}

function refuseCircles(root: SchemaNode): void {
  const done = new Set<SchemaNode>();
  const visited = new Set<SchemaNode>([root]);
  const waiting = [root];
  const open = new Set<SchemaNode>();
  const follow = (node: SchemaNode): void => {
    if (done.has(node)) return;
    if (open.has(node)) {
      throw new Error(`${node.pointer} refers to itself ($ref) without going into the value`);
    }
    open.add(node);
    if (open.size > maxChain) {
      throw new Error(`${node.pointer} is behind more than ${maxChain} references ($ref) in a row`);
    }
    for (const one of node.inPlace) follow(one);
    open.delete(node);
    done.add(node);
  };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    follow(node);
    for (const one of [...node.inPlace, ...node.exclusive, ...node.additional]) {
      if (visited.has(one)) continue;
      visited.add(one);
      waiting.push(one);
    }
  }
}
