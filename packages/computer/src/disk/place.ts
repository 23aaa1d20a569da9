import { lstatSync, mkdirSync, readlinkSync } from "node:fs";
import { childOf, nameOf, parentOf } from "../paths/path-parts.ts";
import { type DiskCall, explainFailure } from "./disk-call.ts";
import type { Pin } from "./pin.ts";
import { syncDirectoryNow } from "./sync-directory.ts";
import { isSystemError, makeSystemError } from "./system-error.ts";

/** One name in a directory that is held fast, so that a change can reach nothing else. */
export interface Place {
  readonly directory: Pin;
  readonly name: string;
  /** Its absolute path, links resolved. */
  readonly landing: string;
}

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
  try {
    directory = pinDirectory(parentOf(asked), { asked, make: options.parents ?? false }, call);
    let name = nameOf(asked);
    for (let links = 0; options.followLink; links++) {
      const target = readLink(directory.at(name));
      if (target === undefined) break;
      if (links === mostLinks) throw makeSystemError("ELOOP", "readlink");
      const [parent, last] = splitTarget(target);
      const next = call.pinning.pin(parent.startsWith("/") ? parent : directory.at(parent));
      directory.close();
      directory = next;
      name = last;
    }
    const landing = childOf(directory.landing, name);
    call.policy.judge("change", landing, asked);
    return { directory, name, landing };
  } catch (error) {
    directory?.close();
    throw explainFailure(error, { asked, access: "change" }, call);
  }
}

// The kernel's own limit.
const mostLinks = 40;

function pinDirectory(
  path: string,
  { asked, make }: { readonly asked: string; readonly make: boolean },
  call: DiskCall,
): Pin {
  try {
    return call.pinning.pin(path);
  } catch (error) {
    if (!make || path === "/" || !isMissing(error)) throw error;
    const parent = pinDirectory(parentOf(path), { asked, make }, call);
    try {
      const name = nameOf(path);
      call.policy.judge("change", childOf(parent.landing, name), asked);
      makeDirectory(parent, name);
      const made = call.pinning.pin(parent.at(name), { noFollow: true });
      if (made.stats.isDirectory()) return made;
      made.close();
      // A link that leads nowhere stands in the way.
      throw error;
    } finally {
      parent.close();
    }
  }
}

function makeDirectory(parent: Pin, name: string): void {
  try {
    mkdirSync(parent.at(name));
  } catch (error) {
    // Somebody else was faster: the caller looks at what it is.
    if (isSystemError(error) && error.code === "EEXIST") return;
    throw error;
  }
  syncDirectoryNow(parent);
}

function isMissing(error: unknown): boolean {
  return isSystemError(error) && error.code === "ENOENT";
}

function readLink(path: string): string | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

function splitTarget(target: string): [parent: string, name: string] {
  const slash = target.lastIndexOf("/");
  const name = target.slice(slash + 1);
  if (name === "" || name === "." || name === "..") throw makeSystemError("EISDIR", "open");
  if (slash === -1) return [".", name];
  return [slash === 0 ? "/" : target.slice(0, slash), name];
}
