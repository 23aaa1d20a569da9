import type { FileQuery, FoundFiles, FoundText, TextMatch, TextQuery } from "@haft/contract";
import { notDirectory, secretFile } from "../paths/path-errors.ts";
import { clipLine } from "../search/clip-line.ts";
import { compileFilePattern } from "../search/file-pattern.ts";
import { requireTextQuery } from "../search/require-text-query.ts";
import { compileTextPattern } from "../search/text-pattern.ts";
import type { MemoryCall } from "./memory-changes.ts";
import { createLineFinder } from "./memory-lines.ts";
import type { MemoryFile } from "./memory-tree.ts";
import { walkMemory } from "./walk-memory.ts";

/** Finds files in memory by name, as on a disk. */
export async function findFiles(query: FileQuery, call: MemoryCall): Promise<FoundFiles> {
  const { directory, offset = 0, limit } = query;
  call.policy.judge("look", directory, directory);
  if (call.tree.get(directory).kind === "file") throw notDirectory(directory);
  const pattern = compileFilePattern(query.pattern, directory);
  const files: string[] = [];
  let total = 0;
  walkMemory({ tree: call.tree, start: directory }, pattern, (path) => {
    if (!mayShow(path, call)) return;
    if (total >= offset && files.length < limit) files.push(path);
    total++;
  });
  return { files, total };
}

/** Finds lines of files in memory by content, as on a disk. */
export async function findText(query: TextQuery, call: MemoryCall): Promise<FoundText> {
  requireTextQuery(query);
  const { path: asked, limit, limitPerFile = Number.POSITIVE_INFINITY, lineLength } = query;
  const finder = createLineFinder(query);
  const matches: TextMatch[] = [];
  let count = 0;
  const look = (path: string, { content }: MemoryFile): void => {
    if (count > limit) return;
    for (const { number, isMatch, text } of finder.find(content, limitPerFile)) {
      if (isMatch) count++;
      if (count > limit) return;
      const shown = clipLine(text, lineLength);
      matches.push({ path, line: number, ...shown, ...(!isMatch && { context: true }) });
    }
  };
  const node = findNode(asked, call);
  if (node.kind === "file") {
    call.policy.judge("read", asked, asked);
    look(asked, node);
  } else {
    walkMemory(
      { tree: call.tree, start: asked },
      compileTextPattern(query.glob, asked),
      (path, file) => {
        if (mayShow(path, call)) look(path, file);
      },
    );
  }
  return { matches, isCut: count > limit };
}

function mayShow(path: string, { policy, scope }: MemoryCall): boolean {
  return !policy.isSecret(path) && policy.mayLook(path) && !scope.isDenied(path, "read");
}

function findNode(
  asked: string,
  { policy, tree }: MemoryCall,
): ReturnType<MemoryCall["tree"]["get"]> {
  policy.judge("look", asked, asked);
  // A secret file gives the same answer whether or not it exists.
  if (policy.isSecret(asked) && tree.find(asked) === undefined) throw secretFile(asked);
  return tree.get(asked);
}
