import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { escapeGlob, ToolError } from "@haft/contract";
import type { OwnPlace } from "./own-module.ts";

/** The patterns for paths of a config: a path and all below it, or a glob as it is. */
export function toPathPatterns(
  paths: readonly string[] | undefined,
  place: OwnPlace,
): readonly string[] | undefined {
  return paths?.flatMap((path) => (/[*?]/u.test(path) ? [path] : toTree(path, place)));
}

function toTree(path: string, { roots, home }: OwnPlace): readonly string[] {
  const whole =
    path === "~" || path.startsWith("~/") ? join(requireHome(home), path.slice(1)) : path;
  const landing = escapeGlob(findLanding(resolve(roots[0] ?? "/", whole)));
  return landing === "/" ? ["/**"] : [landing, `${landing}/**`];
}

// Grants are held against where a path lands, not against the link that leads there.
function findLanding(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function requireHome(home: string | undefined): string {
  if (home !== undefined) return home;
  throw new ToolError("invalid-arguments", "There is no home directory that ~ could stand for.");
}
