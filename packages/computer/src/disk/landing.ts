import { readlinkSync, realpathSync } from "node:fs";
import { childOf, parentOf } from "../paths/path-parts.ts";

/**
 * Where an absolute path lands after links, also if nothing is there: what exists is followed part
 * by part, dangling links too, and the rest is taken as it is written.
 */
export function findLanding(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return walk(path);
  }
}

// The kernel's own limit, after which it answers ELOOP.
const mostLinks = 40;

function walk(path: string): string {
  const pending = path.split("/").reverse();
  let landing = "/";
  let links = 0;
  while (pending.length > 0) {
    const part = pending.pop();
    if (part === undefined || part === "" || part === ".") continue;
    if (part === "..") {
      landing = parentOf(landing);
      continue;
    }
    const next = childOf(landing, part);
    const target = links < mostLinks ? readLink(next) : undefined;
    if (target === undefined) {
      landing = next;
      continue;
    }
    links++;
    if (target.startsWith("/")) landing = "/";
    pending.push(...target.split("/").reverse());
  }
  return landing;
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
