import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** A script beside a file of ours: among the sources, in the package and in the bundle alike. */
export function besideFile(file: string, name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(fileURLToPath(file))}`, file));
}
