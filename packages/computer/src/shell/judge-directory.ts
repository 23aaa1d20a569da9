import { statSync } from "node:fs";
import type { Grant } from "@haft/contract";
import { findLanding } from "../disk/landing.ts";
import { notDirectory, outOfScope } from "../paths/path-errors.ts";
import { isInside } from "../paths/path-parts.ts";

/** Where paths of a call are judged. */
export interface DirectoryPlace {
  readonly grant: Pick<Grant, "mayRead">;
  readonly roots: readonly string[];
  resolve(path: string): string;
}

/** Where a directory of the workspace lies, links resolved. */
export function judgeDirectory(path: string, { grant, roots, resolve }: DirectoryPlace): string {
  const asked = resolve(path);
  const landing = findLanding(asked);
  const isGranted = grant.mayRead(asked) && grant.mayRead(landing);
  if (isGranted && roots.some((root) => isInside(root, landing))) return landing;
  throw outOfScope(asked, "read");
}

/** The same for one that must be there, because something is to run in it. */
export function judgeWorkingDirectory(path: string, place: DirectoryPlace): string {
  const landing = judgeDirectory(path, place);
  if (statSync(landing, { throwIfNoEntry: false })?.isDirectory()) return landing;
  throw notDirectory(landing);
}
