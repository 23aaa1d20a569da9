import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The processes that a process has started, and those that they have started. */
export function findDescendants(pid: number): readonly number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const parent = findParent(Number(name));
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (of: number): number[] =>
    (children.get(of) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Whether a process is still there. */
export function isThere(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

function findParent(pid: number): number | undefined {
  if (Number.isNaN(pid)) return undefined;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name comes second, in parentheses, and may itself hold anything.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined;
  }
}
