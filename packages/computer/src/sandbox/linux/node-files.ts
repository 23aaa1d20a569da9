import { readFileSync, realpathSync } from "node:fs";
import { isInside } from "@haft/contract/internal";
import { parentOf } from "../../paths/path-parts.ts";
import { baseDirectories } from "./system-directories.ts";

let found: readonly string[] | undefined;

/** The running Node and the libraries that it loaded, without those of the base system. */
export function findNodeFiles(): readonly string[] {
  found ??= listFiles().filter(
    (path) => !baseDirectories.some((directory) => isInside(directory, path)),
  );
  return found;
}

function listFiles(): readonly string[] {
  const program = realpathSync.native(process.execPath);
  let maps: string;
  try {
    maps = readFileSync("/proc/self/maps", "utf8");
  } catch {
    // Its libraries are not known here, but lie around it.
    return [parentOf(parentOf(program))];
  }
  const libraries = maps.matchAll(/ (\/\S*\.so\b\S*)$/gmu);
  return [program, ...new Set([...libraries].map(([, path = ""]) => path))];
}
