import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { PathChange } from "@haft/contract";
import {
  alreadyExists,
  isDirectory,
  isRoot,
  notFound,
  notRegular,
  outOfScope,
} from "../paths/path-errors.ts";
import { requireVersion } from "../paths/require-version.ts";
import type { DiskCall } from "./disk-call.ts";
import { versionOf } from "./file-version.ts";
import { findLanding } from "./landing.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { requireWritable } from "./require-writable.ts";

/** Throws unless a change fits what was found at its entry. */
export async function requireFitting(
  change: PathChange,
  place: PinnedEntry,
  call: DiskCall,
): Promise<void> {
  const { path, to, expect } = change;
  const { found } = place;
  requireExpected(change, place);
  switch (to.kind) {
    case "file":
      if (!found?.isSymbolicLink()) requireWritable(place, path);
      return;
    case "link":
      if (found?.isDirectory()) throw isDirectory(path);
      await requireTarget({ ...change, target: to.target }, place, call);
      break;
    case "directory":
      if (found !== undefined && !found.isDirectory()) throw alreadyExists(path);
      return;
    case "absent":
      if (found === undefined && expect !== "absent") throw notFound(path);
      if (call.roots.includes(place.landing)) throw isRoot(path);
      if (found?.isDirectory()) return;
  }
  if (found !== undefined && !found.isFile() && !found.isSymbolicLink()) throw notRegular(path);
}

function requireExpected(
  { path, expect }: PathChange,
  { directory, name, found }: PinnedEntry,
): void {
  if (expect !== undefined && found?.isSymbolicLink()) {
    // A caller that looked at a link saw its target.
    const led = statSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
    if (led !== undefined && versionOf(led) === expect) return;
  }
  requireVersion(found && versionOf(found), expect, path);
}

// We would not follow a link that leads out of scope, but other programs would. One that was there
// before and is restored belongs to the user.
async function requireTarget(
  { path, target, undoes }: PathChange & { readonly target: string },
  { directory, landing }: PinnedEntry,
  { policy, scope }: DiskCall,
): Promise<void> {
  if (policy.mayLook(findLanding(resolve(directory.landing, target)))) return;
  if (undoes !== undefined) {
    const past = await scope.journal.latest(landing);
    const known = past.find(({ id }) => id === undoes)?.before;
    if (known?.kind === "link" && known.target === target) return;
  }
  throw outOfScope(path, "change");
}
