import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { childOf } from "../paths/path-parts.ts";
import { compileIgnoreRules, type IgnoreRules } from "./ignore-rules.ts";
import type { DirectoryRules, IgnoreScope } from "./ignore-scope.ts";
import { WatchedFile } from "./watched-file.ts";

/** What the ignore files of a directory say, and the files that it depends on. */
export interface ReadRules {
  /** `undefined` if they say nothing. */
  readonly rules: DirectoryRules | undefined;
  readonly sources: readonly WatchedFile[];
}

/** The names in a directory that have something to do with what is ignored. */
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
  { heedsRepositories }: Pick<IgnoreScope, "heedsRepositories">,
): ReadRules {
  const sources: WatchedFile[] = [];
  const compile = (path: string): IgnoreRules | undefined => {
    const { file, text } = WatchedFile.read(path);
    sources.push(file);
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
  // Where ripgrep does not ask for a repository, it does not look for git's own, either.
  const isRepository = look(".jj") !== undefined || (heedsRepositories && repository !== undefined);
  const store =
    repository === "file" && heedsRepositories
      ? findGitStore(directory)
      : repository && childOf(directory, ".git");
  const exclude = store === undefined ? undefined : compile(join(store, "info/exclude"));
  const saysNothing = !(custom || plain || git || exclude || isRepository);
  return {
    rules: saysNothing ? undefined : { custom, plain, git, exclude, isRepository },
    sources,
  };
}

/** Where a linked worktree keeps what it shares with others. Submodules have no such place. */
function findGitStore(directory: string): string | undefined {
  const pointer = readFirstLine(childOf(directory, ".git"));
  if (!pointer?.startsWith("gitdir: ")) return undefined;
  const own = resolve(directory, pointer.slice("gitdir: ".length));
  const shared = readFirstLine(join(own, "commondir"));
  if (shared === undefined) return undefined;
  return shared.startsWith(".") ? join(own, shared) : shared;
}

function readFirstLine(path: string): string | undefined {
  try {
    const [line] = readFileSync(path, "utf8").split(/\r?\n/u);
    return line;
  } catch {
    return undefined;
  }
}
