import type { ProblemParts } from "./to-problem.ts";

/** The first place in a JavaScript stack trace that is neither in a dependency nor in Node. */
export function findStackFrame(lines: readonly string[]): ProblemParts | undefined {
  for (const line of lines) {
    const parts = frame.exec(line)?.groups;
    if (parts?.file !== undefined && !foreign.test(parts.file)) return parts;
  }
  return undefined;
}

const frame =
  /^\s*(?:at|❯)\s+(?:.*?[\s(])??(?:file:\/\/)?(?<file>[^\s():]+):(?<line>\d+):(?<column>\d+)\)?\s*$/u;

const foreign = /(?:^|\/)node_modules\/|^node:|^internal\//u;
