import { Problem } from "../problem.ts";

/** A path in a repository without what says nothing; `""` is the root. Refuses what no push can hold. */
export function normalisePath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const normal = parts.join("/");
  if (!isPath(normal) || parts.some((part) => part === "." || part === "..")) {
    throw new Problem(
      400,
      `The path ${JSON.stringify(path)} can't be in a repository. Write it from the repository's root, without "." and "..".`,
    );
  }
  return normal;
}

const mostBytes = 4_096;

function isPath(path: string): boolean {
  return !/[\p{Cc}\\]/u.test(path) && Buffer.byteLength(path) <= mostBytes;
}
