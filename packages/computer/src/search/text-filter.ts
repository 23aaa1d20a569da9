import { expandBraces } from "@haft/contract";
import type { FilePattern } from "./file-pattern.ts";
import { compileTextPattern } from "./text-pattern.ts";

/** Which of the files that ripgrep searches a query is about. */
export interface TextFilter {
  /** Also files that are hidden can fit. */
  readonly seeksHidden: boolean;
  /** Globs of names that all fitting files have, if ripgrep can be told so. */
  readonly names: readonly string[] | undefined;
  /** Decides about a path relative to the directory. */
  fits(path: string): boolean;
}

/** Compiles the glob of a query for what ripgrep finds. */
export function compileTextFilter(glob: string | undefined, directory: string): TextFilter {
  const start = compileTextPattern(glob, directory);
  const isPlain = glob !== undefined && !glob.startsWith("!");
  const seeksHidden = isPlain && dotAtStart.test(glob);
  return {
    seeksHidden,
    names: isPlain && !seeksHidden ? toPlainNames(glob) : undefined,
    fits: (path) => fitsPath(start, path, seeksHidden),
  };
}

const dotAtStart = /(?:^|[/{,])\\?\.(?!\.?(?:\/|$))/u;

// What comes is hidden only if hidden files were asked for.
function fitsPath(start: FilePattern, path: string, seeksHidden: boolean): boolean {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const isHidden = (part: string): boolean => seeksHidden && part.startsWith(".");
  let pattern: FilePattern | undefined = start;
  for (const part of parts) {
    pattern = pattern.below(part, isHidden(part));
    if (pattern === undefined) return false;
  }
  return pattern.fits(name, isHidden(name));
}

function toPlainNames(glob: string): readonly string[] | undefined {
  const globs = expandBraces(glob);
  return globs.every((one) => /^[\w.*-]+$/u.test(one)) ? globs : undefined;
}
