import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";

/**
 * Normalises a path in a repository; `""` is the root. Throws for a path that no push can contain.
 */
export function normalisePath(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const normal = parts.join("/");
  if (!isPath(normal) || parts.some((part) => part === "." || part === "..")) {
    throw new Problem(
      400,
      `The path ${toShownName(path)} is not valid. Write it relative to the repository's root, without "." and "..".`,
    );
  }
  return normal;
}

const maxBytes = 4_096;

function isPath(path: string): boolean {
  return !/[\p{Cc}\\]/u.test(path) && Buffer.byteLength(path) <= maxBytes;
}
