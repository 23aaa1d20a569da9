import { readdirSync } from "node:fs";
import type { AgentFolder } from "./agent-folders.ts";

const maxFiles = 200;

/** Lists the manifest files of a folder, sorted by name. */
export function listManifestFiles(
  folder: AgentFolder,
  warn: (message: string) => void,
): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder.path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAbsent = code === "ENOENT" || code === "ENOTDIR";
    if (!isAbsent || folder.owner === "shipped") {
      warn(`${folder.path}: the folder can't be listed (${code ?? "unknown error"}).`);
    }
    return [];
  }
  const files = names.filter((name) => name.endsWith(".md") && !name.startsWith(".")).sort();
  if (files.length > maxFiles) {
    warn(`${folder.path}: it has ${files.length} agents; only the first ${maxFiles} are used.`);
  }
  return files.slice(0, maxFiles);
}
