import { childOf, parentOf } from "../paths/path-parts.ts";
import type { FilePattern } from "../search/file-pattern.ts";
import { compileIgnoreRules, type IgnoreRules } from "../search/ignore-rules.ts";
import { type DirectoryRules, IgnoreScope } from "../search/ignore-scope.ts";
import type { MemoryDirectory, MemoryFile, MemoryTree } from "./memory-tree.ts";

/** Called for each file of a walk. */
export type OnMemoryFile = (path: string, file: MemoryFile) => void;

/** Walks the files below a directory that ripgrep would search, in path order. */
export function walkMemory(
  { tree, start }: { readonly tree: MemoryTree; readonly start: string },
  pattern: FilePattern,
  onFile: OnMemoryFile,
): void {
  const node = tree.find(start);
  if (node?.kind !== "directory") return;
  const above = directoriesAbove(start).flatMap((path) => {
    const found = tree.find(path);
    return found?.kind === "directory" ? [{ path, found }] : [];
  });
  const honorsRepositories = [...above, { found: node }].some(({ found }) => isRepository(found));
  let outer = IgnoreScope.outermost(undefined, { base: start, honorsRepositories });
  for (const { path, found } of above) outer = outer.enter(path, readRules(found, outer));
  walk({ path: start, node, outer }, pattern, onFile);
}

interface WalkedDirectory {
  readonly path: string;
  readonly node: MemoryDirectory;
  readonly outer: IgnoreScope;
}

function walk(
  { path, node, outer }: WalkedDirectory,
  pattern: FilePattern,
  onFile: OnMemoryFile,
): void {
  const scope = outer.enter(path, readRules(node, outer));
  const judge = scope.judgeIn(path);
  const entries = Array.from(node.entries, ([name, found]) => ({
    name,
    found,
    key: found.kind === "directory" ? `${name}/` : name,
  })).sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { name, found } of entries) {
    const verdict = judge?.(name, found.kind === "directory");
    if (verdict === "ignore") continue;
    const isHidden = verdict === undefined && name.startsWith(".");
    const place = childOf(path, name);
    if (found.kind === "file") {
      if (pattern.fits(name, isHidden)) onFile(place, found);
      continue;
    }
    const below = pattern.below(name, isHidden);
    if (below !== undefined) walk({ path: place, node: found, outer: scope }, below, onFile);
  }
}

function directoriesAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = path; at !== "/"; ) {
    at = parentOf(at);
    above.unshift(at);
  }
  return above;
}

const decoder = new TextDecoder();

function isRepository({ entries }: MemoryDirectory): boolean {
  return entries.has(".git") || entries.has(".jj");
}

function readRules(
  directory: MemoryDirectory,
  { honorsRepositories }: IgnoreScope,
): DirectoryRules | undefined {
  const read = (
    from: MemoryDirectory["entries"] | undefined,
    name: string,
  ): IgnoreRules | undefined => {
    const found = from?.get(name);
    return found?.kind === "file" ? compileIgnoreRules(decoder.decode(found.content)) : undefined;
  };
  const { entries } = directory;
  const repository = entries.get(".git");
  const custom = read(entries, ".rgignore");
  const plain = read(entries, ".ignore");
  const git = read(entries, ".gitignore");
  if (!isRepository(directory) && !custom && !plain && !git) return undefined;
  const info = repository?.kind === "directory" ? repository.entries.get("info") : undefined;
  const exclude = read(info?.kind === "directory" ? info.entries : undefined, "exclude");
  const isStart = honorsRepositories ? isRepository(directory) : entries.has(".jj");
  return { custom, plain, git, exclude, isRepository: isStart };
}
