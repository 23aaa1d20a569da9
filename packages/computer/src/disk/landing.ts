import { readlinkSync, realpathSync } from "node:fs";
import { childOf, parentOf } from "../paths/path-parts.ts";

/**
 * Where an absolute path leads after links, even if nothing is there: the existing part is followed,
 * including dangling links, and the rest is taken as written.
 */
export function findLanding(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return walk(path).landing;
  }
}

/** Where an absolute path leads, and the links on the way. */
export interface LinkTrace {
  readonly landing: string;
  readonly links: readonly string[];
}

/** Follows a path to where it leads, even if nothing is there, and records every link on the way. */
export function traceLinks(path: string): LinkTrace {
  return findLanding(path) === path ? { landing: path, links: [] } : walk(path);
}

// The kernel's own limit, after which it returns ELOOP.
const maxLinks = 40;

function walk(path: string): LinkTrace {
  const pending = path.split("/").reverse();
  let landing = "/";
  const links: string[] = [];
  while (pending.length > 0) {
    const part = pending.pop();
    if (part === undefined || part === "" || part === ".") continue;
    if (part === "..") {
      landing = parentOf(landing);
      continue;
    }
    const next = childOf(landing, part);
    const target = links.length < maxLinks ? readLink(next) : undefined;
    if (target === undefined) {
      landing = next;
      continue;
    }
    links.push(next);
    if (target.startsWith("/")) landing = "/";
    pending.push(...target.split("/").reverse());
  }
  return { landing, links };
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Returns a path with all links resolved, or the path itself if nothing exists there. */
export function toRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
