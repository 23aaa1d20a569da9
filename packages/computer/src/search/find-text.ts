import { type FoundText, type TextQuery, ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { type DiskCall, explainFailure, pinJudged } from "../disk/disk-call.ts";
import type { Pin } from "../disk/pin.ts";
import { notRegular, secretFile } from "../paths/path-errors.ts";
import { requireTextQuery } from "./require-text-query.ts";
import { searchFile, searchTree } from "./ripgrep-search.ts";

/**
 * Finds lines by content. Paths in the query are absolute; those of the matches contain no links. The
 * first search of a tree uses ripgrep; meanwhile an index is built that answers later ones.
 */
export async function findText(query: TextQuery, call: DiskCall): Promise<FoundText> {
  requireTextQuery(query);
  const asked = query.path;
  const pin = pinOrRefuse(asked, call);
  try {
    if (pin.stats.isDirectory()) return await searchDirectory(query, pin, call);
    call.policy.judge("read", asked, asked);
    call.policy.judge("read", pin.landing, asked);
    if (!pin.stats.isFile()) throw notRegular(asked);
    const found = await askIndex({ ...query, path: pin.landing }, call);
    return found ?? (await searchFile(query, pin.landing, call));
  } catch (error) {
    throw explainFailure(error, { asked, access: "read" }, call);
  } finally {
    pin.close();
  }
}

function pinOrRefuse(asked: string, call: DiskCall): Pin {
  try {
    return pinJudged(asked, "look", call);
  } catch (error) {
    // A secret file gives the same answer whether or not it exists.
    const isMissing = ToolError.isInstance(error) && error.code === "not-found";
    throw isMissing && call.policy.isSecret(asked) ? secretFile(asked) : error;
  }
}

async function searchDirectory(query: TextQuery, pin: Pin, call: DiskCall): Promise<FoundText> {
  const { landing } = pin;
  const found = await askIndex({ ...query, path: landing }, call);
  if (found !== undefined) return found;
  try {
    return await searchTree(query, pin, call);
  } finally {
    // Different parts of a workspace are searched, so one index serves them all.
    call.search.indexes.noteUse(call.roots.find((root) => isInside(root, landing)) ?? landing);
  }
}

// An index knows the names of secrets, but not what this call may see.
async function askIndex(query: TextQuery, call: DiskCall): Promise<FoundText | undefined> {
  const found = await call.search.indexes.find(query);
  call.scope.signal.throwIfAborted();
  if (found === undefined) return undefined;
  const { policy, scope } = call;
  const seen = new Map<string, boolean>();
  const matches = found.matches.filter(({ path }) => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const mayShow = !policy.isSecret(path) && policy.mayLook(path) && !scope.isDenied(path, "read");
    seen.set(path, mayShow);
    return mayShow;
  });
  // Left-out lines may have used up the limit.
  return matches.length < found.matches.length && found.isCut ? undefined : { ...found, matches };
}
