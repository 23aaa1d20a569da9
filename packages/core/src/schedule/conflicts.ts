import { isInside } from "@haft/contract/internal";
import type { Subject } from "../rules/subject.ts";

/** What a call occupies while it runs. */
export interface Footprint {
  /** The native id, for explanations. */
  readonly tool: string;
  readonly serial: boolean;
  /** It touches nothing and only waits: no other call is in its way, nor it in theirs. */
  readonly passive?: boolean;
  /** `undefined`: the tool has no profile, so it may touch anything. */
  readonly subjects: readonly Subject[] | undefined;
}

/** Whether a call is known to change nothing: such calls never conflict with each other. */
export function onlyReads({ serial, subjects }: Footprint): boolean {
  return !serial && subjects !== undefined && subjects.every(({ mode }) => mode === "read");
}

/** Why two calls may not run side by side; `undefined` if they may. */
export function findConflict(
  earlier: Footprint,
  later: Footprint,
  identify: (path: string) => string,
): string | undefined {
  if (earlier.passive || later.passive) return undefined;
  for (const one of [earlier, later]) {
    if (one.serial) return `${one.tool} runs alone`;
    if (one.subjects === undefined) return `${one.tool} does not say what it touches`;
  }
  for (const a of earlier.subjects ?? []) {
    for (const b of later.subjects ?? []) {
      if (a.mode === "read" && b.mode === "read") continue;
      if (a.type !== b.type) continue;
      if (overlaps(a, b, identify)) {
        const both = a.mode === "write" && b.mode === "write";
        return `${both ? "both write" : "one writes and one reads"} ${a.tree ? b.key : a.key}`;
      }
    }
  }
  return undefined;
}

function overlaps(a: Subject, b: Subject, identify: (path: string) => string): boolean {
  if (covers(a, b)) return true;
  if (a.type !== "file") return false;
  // Two names may lead to one file through links. Looked up only here, where one of them writes.
  return covers({ ...a, key: identify(a.key) }, { ...b, key: identify(b.key) });
}

function covers(a: Subject, b: Subject): boolean {
  if (a.key === b.key) return true;
  return (a.tree && isInside(a.key, b.key)) || (b.tree && isInside(b.key, a.key));
}
