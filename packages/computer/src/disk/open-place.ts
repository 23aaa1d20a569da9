import { type BigIntStats, lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { childOf, nameOf, parentOf } from "../paths/path-parts.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import type { Pin } from "./pin.ts";
import type { Place } from "./place.ts";
import { removeMade } from "./reach-path.ts";
import { syncDirectoryNow } from "./sync-directory.ts";
import { isSystemError, makeSystemError } from "./system-error.ts";

/** How to get to a place. */
export interface PlaceOptions {
  /** If the name is a link, go on to what it leads to. */
  readonly followLink?: boolean;
  /** Make missing directories on the way. */
  readonly parents?: boolean;
}

/** Finds the place that a change of a path would touch, and judges it. The caller closes its directory. */
export function openPlace(asked: string, options: PlaceOptions, call: DiskCall): Place {
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
      if (links === mostLinks) throw makeSystemError("ELOOP", "readlink");
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
const mostLinks = 40;

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
      // A link that leads nowhere stands in the way.
      throw error;
    } finally {
      parent.close();
    }
  }
}

// Whether it was us who made it.
function makeDirectory(parent: Pin, name: string, { flush }: DiskCall): boolean {
  try {
    mkdirSync(parent.at(name));
  } catch (error) {
    // Somebody else was faster: the caller looks at what it is.
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
