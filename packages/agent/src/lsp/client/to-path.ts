import { fileURLToPath } from "node:url";

/** Converts a URI to a path. Returns `undefined` if it is not a file. */
export function toPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
