import { join, resolve } from "node:path";
import { childOf } from "../paths/path-parts.ts";
import { compileIgnoreRules, type IgnoreRules } from "./ignore-rules.ts";
import type { DirectoryRules, IgnoreScope } from "./ignore-scope.ts";
import { WatchedFile } from "./watched-file.ts";

/** The rules of a directory's ignore files, and the files that they depend on. */
export interface ReadRules {
  /** `undefined` if there are none. */
  readonly rules: DirectoryRules | undefined;
  readonly sources: readonly WatchedFile[];
}

/** The names in a directory that affect what is ignored. */
export const ruleNames: ReadonlySet<string> = new Set([
  ".rgignore",
  ".ignore",
  ".gitignore",
  ".git",
  ".jj",
]);

/** Reads the ignore files of a directory, of those names that may be there. */
export function readDirectoryRules(
  directory: string,
  names: ReadonlySet<string>,
  { honorsRepositories }: Pick<IgnoreScope, "honorsRepositories">,
): ReadRules {
  const sources: WatchedFile[] = [];
  let hasUnusable = false;
  const read = (path: string): string | undefined => {
    const { file, text, isUnusable } = WatchedFile.read(path);
    sources.push(file);
    hasUnusable ||= isUnusable;
    return text;
  };
  const compile = (path: string): IgnoreRules | undefined => {
    const text = read(path);
    return text === undefined ? undefined : compileIgnoreRules(text);
  };
  const compileNamed = (name: string): IgnoreRules | undefined =>
    names.has(name) ? compile(childOf(directory, name)) : undefined;
  const look = (name: string): "file" | "other" | undefined => {
    if (!names.has(name)) return undefined;
    const { file, stats } = WatchedFile.look(childOf(directory, name));
    sources.push(file);
    if (stats === undefined) return undefined;
    return stats.isFile() ? "file" : "other";
  };
  const custom = compileNamed(".rgignore");
  const plain = compileNamed(".ignore");
  const git = compileNamed(".gitignore");
  const repository = look(".git");
  // Where ripgrep requires no repository, it does not look for git's own excludes either.
  const isRepository =
    look(".jj") !== undefined || (honorsRepositories && repository !== undefined);
  const store =
    repository === "file" && honorsRepositories
      ? findGitStore(directory, read)
      : repository && childOf(directory, ".git");
  const exclude = store === undefined ? undefined : compile(join(store, "info/exclude"));
  const saysNothing = !(custom || plain || git || exclude || isRepository || hasUnusable);
  return {
    rules: saysNothing ? undefined : { custom, plain, git, exclude, isRepository, hasUnusable },
    sources,
  };
}

/** Where a linked worktree keeps what it shares with others. Submodules have no such directory. */
function findGitStore(
  directory: string,
  read: (path: string) => string | undefined,
): string | undefined {
  const readFirstLine = (path: string): string | undefined => read(path)?.split(/\r?\n/u, 1)[0];
  const pointer = readFirstLine(childOf(directory, ".git"));
  if (!pointer?.startsWith("gitdir: ")) return undefined;
  const own = resolve(directory, pointer.slice("gitdir: ".length));
  const shared = readFirstLine(join(own, "commondir"));
  if (shared === undefined) return undefined;
  return shared.startsWith(".") ? join(own, shared) : shared;
}
