import { fileURLToPath } from "node:url";

/** The path that a server means; `undefined` for what is not a file. */
export function toPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
