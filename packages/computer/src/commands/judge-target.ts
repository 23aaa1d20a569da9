import type { ReadWord } from "@haft/core";
import { isInside } from "../paths/path-parts.ts";
import { isProtectedPath } from "../paths/protected-path.ts";
import type { Directory } from "./directory.ts";
import type { ReadingDraft } from "./reading-draft.ts";

/** Why a path must be spelled out where a program changes it or works there; `undefined` if not. */
export function judgeTarget(
  word: ReadWord,
  directory: Directory,
  { place, disk }: Pick<ReadingDraft, "place" | "disk">,
): string | undefined {
  const path = joinPath(directory, word);
  if (path === undefined) return "it is not known which path that is";
  const landing = disk.landing(path);
  if (isProtectedPath(landing)) return `${landing} is protected`;
  if (place.roots.some((root) => isInside(root, landing)) || passing.test(landing))
    return undefined;
  return `${landing} lies outside of the workspace`;
}

/** A path as the kernel would be asked for it; `undefined` if that is not known. */
export function joinPath(directory: Directory, word: ReadWord): string | undefined {
  if (word === undefined || word.includes("\0")) return undefined;
  if (word.startsWith("/")) return word;
  return directory === undefined ? undefined : `${directory}/${word}`;
}

// What is there is nobody's work, and does not stay.
const passing = /^\/(?:var\/)?tmp\/.|^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/u;
