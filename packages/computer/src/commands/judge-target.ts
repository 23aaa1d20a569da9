import { isInside } from "@haft/contract/internal";
import type { ReadWord } from "@haft/core";
import { isProtectedPath } from "../paths/protected-path.ts";
import type { Directory } from "./directory.ts";
import type { ReadingDraft } from "./reading-draft.ts";

/** Why a rule must spell out a path that a program changes; `undefined` if it need not. */
export function judgeChange(
  word: ReadWord,
  directory: Directory,
  { place, disk }: Pick<ReadingDraft, "place" | "disk">,
): string | undefined {
  const { roots, writable = roots } = place;
  return judgeTarget(word, directory, { place: { ...place, roots: writable }, disk });
}

/** The same for a directory that a program works in. */
export function judgeTarget(
  word: ReadWord,
  directory: Directory,
  { place, disk }: Pick<ReadingDraft, "place" | "disk">,
): string | undefined {
  const path = joinPath(directory, word);
  if (path === undefined) return "the path is not known in advance";
  const landing = disk.landing(path);
  if (isProtectedPath(landing)) return `${landing} is protected`;
  if (place.roots.some((root) => isInside(root, landing)) || passing.test(landing))
    return undefined;
  return `${landing} lies outside the workspace`;
}

/** A path as the kernel would receive it; `undefined` if that is not known. */
export function joinPath(directory: Directory, word: ReadWord): string | undefined {
  if (word === undefined || word.includes("\0")) return undefined;
  if (word.startsWith("/")) return word;
  return directory === undefined ? undefined : `${directory}/${word}`;
}

// Devices that keep nothing.
const passing = /^\/(?:var\/)?tmp\/.|^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/u;
