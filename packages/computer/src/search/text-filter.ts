import { expandBraces } from "@haft/contract/internal";
import type { FilePattern } from "./file-pattern.ts";
import { compileTextPattern } from "./text-pattern.ts";

/** Which of the files that ripgrep searches belong to a query. */
export interface TextFilter {
  /** Whether hidden files can match. */
  readonly seeksHidden: boolean;
  /** Globs of names that all matching files have, if ripgrep can use them. */
  readonly names: readonly string[] | undefined;
  /** Decides about a path relative to the directory. */
  fits(path: string): boolean;
}

/** Compiles the glob of a query for the files that ripgrep finds. */
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

// Hidden files arrive only if they were requested.
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
