import { anyFile, compileFilePattern, type FilePattern } from "./file-pattern.ts";

/**
 * Compiles the glob of a text search like ripgrep's own `--glob`: without a slash it matches names at
 * any depth; with an exclamation mark it excludes what matches, and everything below. Unlike there,
 * it never includes ignored files.
 */
export function compileTextPattern(glob: string | undefined, directory: string): FilePattern {
  if (glob === undefined || glob === "") return anyFile;
  const isNegated = glob.startsWith("!");
  const pattern = isNegated ? glob.slice(1) : glob;
  const atAnyDepth = !pattern.replace(/\/$/u, "").includes("/");
  const compiled = compileFilePattern(atAnyDepth ? `**/${pattern}` : pattern, directory);
  return isNegated ? negate(compiled) : compiled;
}

function negate(pattern: FilePattern): FilePattern {
  return {
    fits: (name, isHidden) => !isHidden && !pattern.fits(name, isHidden),
    below: (name, isHidden) => {
      if (isHidden || pattern.fits(name, isHidden)) return undefined;
      const below = pattern.below(name, isHidden);
      return below === undefined ? anyFile : negate(below);
    },
  };
}
