import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a script next to one of our files: in the sources, the package and the bundle. */
export function besideFile(file: string, name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(fileURLToPath(file))}`, file));
}
