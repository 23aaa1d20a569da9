import type { FileQuery, FoundFiles } from "@haft/contract";
import { type DiskCall, explainFailure, pinJudged } from "../disk/disk-call.ts";
import { notDirectory } from "../paths/path-errors.ts";
import { childOf } from "../paths/path-parts.ts";
import { compileFilePattern } from "./file-pattern.ts";

/**
 * Finds files by name below a directory. Paths in the query are absolute; those of the files start
 * where the directory leads, and are sorted by code unit.
 */
export async function findFiles(query: FileQuery, call: DiskCall): Promise<FoundFiles> {
  const { directory: asked, offset = 0, limit } = query;
  const directory = findDirectory(asked, call);
  const { policy, scope } = call;
  const pattern = compileFilePattern(query.pattern, asked);
  let files: string[] = [];
  let total = 0;
  try {
    await call.search.lists.tree(directory).walk({
      pattern,
      signal: scope.signal,
      onFile: (parent, entry) => {
        const path = entry.path ?? childOf(parent, entry.name);
        // Cached for repeated searches only: a single one is not worth the memory.
        if (entry.isSecret === undefined) entry.isSecret = policy.isSecret(path);
        else entry.path = path;
        if (entry.isSecret || !policy.mayLook(path) || scope.isDenied(path, "read")) return;
        if (total >= offset && files.length < limit) files.push(path);
        total++;
      },
      onRestart: () => {
        files = [];
        total = 0;
      },
    });
  } catch (error) {
    throw explainFailure(error, { asked, access: "look" }, call);
  }
  return { files, total };
}

function findDirectory(asked: string, call: DiskCall): string {
  const pin = pinJudged(asked, "look", call);
  try {
    if (!pin.stats.isDirectory()) throw notDirectory(asked);
    return pin.landing;
  } finally {
    pin.close();
  }
}
