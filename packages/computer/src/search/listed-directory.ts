import type { Dirent } from "node:fs";
import { readDirectoryRules, ruleNames } from "./directory-rules.ts";
import type { IgnoreScope } from "./ignore-scope.ts";
import {
  type DirectoryReading,
  type DirectoryStamp,
  isSameDirectory,
  lookAt,
} from "./read-directory.ts";
import { isSettled } from "./settled.ts";
import type { WatchedFile } from "./watched-file.ts";

/** A name in a directory that is not ignored. */
export interface ListedEntry {
  readonly name: string;
  readonly isDirectory: boolean;
  /** It starts with a dot, and no ignore file re-includes it. */
  readonly isHidden: boolean;
  /** Its listing, once it was read. */
  directory: ListedDirectory | undefined;
  /** Its path, and whether it is a secret, once that was needed. */
  path: string | undefined;
  isSecret: boolean | undefined;
}

/** The content of a directory when it was listed: regular files and directories in path order. */
export class ListedDirectory {
  readonly path: string;
  readonly stamp: DirectoryStamp;
  /** Whether another change would show. */
  readonly isSure: boolean;
  readonly entries: readonly ListedEntry[];
  /** The rules from above. */
  readonly outer: IgnoreScope;
  /** The rules that apply in it. */
  readonly scope: IgnoreScope;
  readonly #sources: readonly WatchedFile[];
  readonly #ruleNames: ReadonlySet<string>;

  /** Sorts what was read. Still valid parts of the previous listing are kept. */
  constructor(path: string, { stats, entries }: DirectoryReading, known: KnownBefore) {
    this.path = path;
    this.outer = known.outer;
    // Full stats would take more memory than the names.
    const { ino, dev, mtimeMs, ctimeMs } = stats;
    this.stamp = { ino, dev, mtimeMs, ctimeMs };
    this.isSure = isSettled(stats);
    const { before } = known;
    const names = findRuleNames(entries);
    if (before?.hasSameRules(known.outer, names)) {
      this.scope = before.scope;
      this.#sources = before.#sources;
    } else if (names.size === 0) {
      this.scope = known.outer;
      this.#sources = noSources;
    } else {
      const { rules, sources } = readDirectoryRules(path, names, known.outer);
      this.scope = known.outer.enter(path, rules);
      this.#sources = sources;
    }
    this.#ruleNames = names;
    this.entries = this.#keep(entries, before);
  }

  /** Whether the directory is certainly unchanged. */
  isFresh(outer: IgnoreScope): boolean {
    if (!this.isSure || this.outer !== outer) return false;
    return isSameDirectory(this.stamp, lookAt(this.path)) && this.#hasSameSources();
  }

  /** Whether its rules would be the same with these names and outer rules. */
  hasSameRules(outer: IgnoreScope, names: ReadonlySet<string>): boolean {
    return (
      this.outer === outer &&
      names.size === this.#ruleNames.size &&
      [...names].every((name) => this.#ruleNames.has(name)) &&
      this.#hasSameSources()
    );
  }

  #hasSameSources(): boolean {
    for (const source of this.#sources) if (!source.isUnchanged()) return false;
    return true;
  }

  #keep(found: readonly Dirent[], before: ListedDirectory | undefined): ListedEntry[] {
    const judge = this.scope.judgeIn(this.path);
    const children = before && childrenOf(before);
    const entries: ListedEntry[] = [];
    for (const entry of found) {
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      const { name } = entry;
      const verdict = judge?.(name, isDirectory);
      if (verdict === "ignore") continue;
      const isHidden = verdict === undefined && name.charCodeAt(0) === dot;
      const directory = isDirectory ? children?.get(name) : undefined;
      entries.push({
        name,
        isDirectory,
        isHidden,
        directory,
        path: undefined,
        isSecret: undefined,
      });
    }
    return entries.sort(byPath);
  }
}

/** What a listing can build on. */
export interface KnownBefore {
  readonly outer: IgnoreScope;
  readonly before: ListedDirectory | undefined;
}

const dot = 0x2e;
const noSources: readonly WatchedFile[] = [];
const noNames: ReadonlySet<string> = new Set();

function findRuleNames(entries: readonly Dirent[]): ReadonlySet<string> {
  let names: Set<string> | undefined;
  for (const { name } of entries) {
    if (name.charCodeAt(0) !== dot || !ruleNames.has(name)) continue;
    names ??= new Set();
    names.add(name);
  }
  return names ?? noNames;
}

function childrenOf({ entries }: ListedDirectory): Map<string, ListedDirectory> {
  const children = new Map<string, ListedDirectory>();
  for (const { name, directory } of entries) if (directory) children.set(name, directory);
  return children;
}

// The order in which the paths of all files below would be sorted.
function byPath(a: ListedEntry, b: ListedEntry): number {
  if (a.isDirectory === b.isDirectory) return a.name < b.name ? -1 : 1;
  const left = a.isDirectory ? `${a.name}/` : a.name;
  const right = b.isDirectory ? `${b.name}/` : b.name;
  return left < right ? -1 : 1;
}
