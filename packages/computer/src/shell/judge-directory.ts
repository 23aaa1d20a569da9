import { statSync } from "node:fs";
import { type Grant, ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { findLanding } from "../disk/landing.ts";
import { notDirectory, outOfScope } from "../paths/path-errors.ts";

/** What the directories of a call are checked against. */
export interface DirectoryScope {
  readonly grant: Pick<Grant, "mayRead">;
  readonly roots: readonly string[];
  resolve(path: string): string;
}

/** Checks a directory below the roots and returns its path, links resolved. */
export function judgeDirectory(path: string, { grant, roots, resolve }: DirectoryScope): string {
  const asked = resolve(path);
  const landing = findLanding(asked);
  const isGranted = grant.mayRead(asked) && grant.mayRead(landing);
  if (isGranted && roots.some((root) => isInside(root, landing))) return landing;
  throw outOfScope(asked, "read");
}

/** The same for a working directory, which must exist. */
export function judgeWorkingDirectory(path: string, scope: DirectoryScope): string {
  const landing = judgeDirectory(path, scope);
  const found = statSync(landing, { throwIfNoEntry: false });
  if (found?.isDirectory()) return landing;
  throw found === undefined ? noWorkingDirectory(landing) : notDirectory(landing);
}

function noWorkingDirectory(path: string): ToolError {
  return new ToolError(
    "not-found",
    `Not run: the working directory ${path} does not exist. Create it first, or name another.`,
    { absolutePath: path },
  );
}
