import { type BigIntStats, lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { childOf, nameOf, parentOf } from "../paths/path-parts.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import type { Pin } from "./pin.ts";
import type { PinnedEntry } from "./pinned-entry.ts";
import { removeMade } from "./reach-path.ts";
import { syncDirectoryNow } from "./sync-directory.ts";
import { isSystemError, makeSystemError } from "./system-error.ts";

/** How to open an entry. */
export interface EntryOptions {
  /** If the name is a link, follow it. */
  readonly followLink?: boolean;
  /** Create missing directories on the way. */
  readonly parents?: boolean;
}

/** Finds and checks the entry that a change of a path would touch. The caller closes its directory. */
export function openEntry(asked: string, options: EntryOptions, call: DiskCall): PinnedEntry {
  call.policy.judge("change", asked, asked);
  let directory: Pin | undefined;
  const made: string[] = [];
  try {
    directory = pinDirectory(
      parentOf(asked),
      { asked, made: options.parents ? made : undefined },
      call,
    );
    let name = nameOf(asked);
    let found = look(directory, name);
    for (let links = 0; options.followLink && found?.isSymbolicLink(); links++) {
      if (links === maxLinks) throw makeSystemError("ELOOP", "readlink");
      const [parent, last] = splitTarget(readlinkSync(directory.at(name)));
      const next = call.pinning.pin(parent.startsWith("/") ? parent : directory.at(parent));
      directory.close();
      directory = next;
      name = last;
      found = look(directory, name);
    }
    const landing = childOf(directory.landing, name);
    call.policy.judge("change", landing, asked);
    return { directory, name, landing, found, made };
  } catch (error) {
    directory?.close();
    removeMade(made, call.pinning);
    throw explainFailure(error, { asked, access: "change" }, call);
  }
}

// The kernel's own limit.
const maxLinks = 40;

function pinDirectory(
  path: string,
  { asked, made }: { readonly asked: string; readonly made: string[] | undefined },
  call: DiskCall,
): Pin {
  try {
    return call.pinning.pin(path);
  } catch (error) {
    if (made === undefined || path === "/" || !isMissing(error)) throw error;
    const parent = pinDirectory(parentOf(path), { asked, made }, call);
    try {
      const name = nameOf(path);
      const landing = childOf(parent.landing, name);
      call.policy.judge("change", landing, asked);
      if (makeDirectory(parent, name, call)) made.push(landing);
      const directory = call.pinning.pin(parent.at(name), { noFollow: true });
      if (directory.stats.isDirectory()) return directory;
      directory.close();
      // A dangling link is in the way.
      throw error;
    } finally {
      parent.close();
    }
  }
}

// Returns whether it was us who created it.
function makeDirectory(parent: Pin, name: string, { flush }: DiskCall): boolean {
  try {
    mkdirSync(parent.at(name));
  } catch (error) {
    // Another process was faster: the caller looks at what it is.
    if (isSystemError(error) && error.code === "EEXIST") return false;
    throw error;
  }
  if (flush) syncDirectoryNow(parent);
  return true;
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === "ENOENT";
}

function look(directory: Pin, name: string): BigIntStats | undefined {
  return lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
}

function splitTarget(target: string): [parent: string, name: string] {
  const slash = target.lastIndexOf("/");
  const name = target.slice(slash + 1);
  if (name === "" || name === "." || name === "..") throw makeSystemError("EISDIR", "open");
  if (slash === -1) return [".", name];
  return [slash === 0 ? "/" : target.slice(0, slash), name];
}
