import { readdirSync, type Stats } from "node:fs";
import { isAbsolute } from "node:path";
import { ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { findLanding, traceLinks } from "../../disk/landing.ts";
import { readUntrustedFile } from "../../disk/read-untrusted-file.ts";
import { foldPath } from "../../paths/fold-path.ts";
import { childOf, nameOf, parentOf } from "../../paths/path-parts.ts";
import { isProtectedPath, isSettingsDirectory } from "../../paths/protected-path.ts";
import { lookAt } from "../../search/read-directory.ts";
import { StampedCache } from "../../search/settled.ts";
import { type GitSettings, readGitSettings } from "./git-settings.ts";
import { describePath, type GuardedPath, type GuardKind } from "./guarded-path.ts";

/** Options of `PointerFollower`. */
export interface FollowOptions {
  /** Where commands can write: only paths there need protection. */
  readonly writable: readonly string[];
  readonly home: string | undefined;
  /** Whether to follow a guarded path. A command's own pointers are removed, not followed. */
  mayFollow(place: GuardedPath): boolean;
  /** Finds the guarded paths below a directory that is judged by another path's name. */
  findBelow(path: string, as: string): Promise<readonly GuardedPath[]>;
}

/**
 * Follows what leads from guarded paths to others: links, and everything git follows, which is
 * `gitdir:` files, `commondir`, included configuration, and directories and programs that it names.
 */
export class PointerFollower {
  readonly #texts = new StampedCache<string | undefined>();
  readonly #settings = new StampedCache<GitSettings>();
  readonly #links = new StampedCache<readonly string[]>();

  /** The paths that others lead to. */
  async follow(
    found: readonly GuardedPath[],
    options: FollowOptions,
  ): Promise<readonly GuardedPath[]> {
    const walk = new PointerWalk(options, this);
    for (const root of options.writable) walk.enterAbove(root);
    await walk.enter(found);
    walk.enterGlobal();
    return walk.places;
  }

  /** The text of a small file; `undefined` for anything else. */
  readText(path: string, stats: Stats): string | undefined {
    return this.#texts.get(path, stats, () =>
      readUntrustedFile(path, { within: parentOf(path), maxBytes }).bytes?.toString("utf8"),
    );
  }

  readSettings(path: string, stats: Stats): GitSettings {
    return this.#settings.get(path, stats, () => readGitSettings(this.readText(path, stats) ?? ""));
  }

  /** The names of the links in a directory. */
  readLinks(path: string, stats: Stats): readonly string[] {
    return this.#links.get(path, stats, () => {
      try {
        const entries = readdirSync(path, { withFileTypes: true });
        return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name);
      } catch {
        // We can't list it, so a command can't change it.
        return [];
      }
    });
  }
}

const maxBytes = 1024 * 1024;
const maxPointers = 20_000;
const repositoryFiles = ["config", "config.worktree", "commondir", "hooks"];

/** One pass over all pointers. */
class PointerWalk {
  readonly places: GuardedPath[] = [];
  readonly #options: FollowOptions;
  readonly #files: PointerFollower;
  readonly #seen = new Set<string>();
  /** The directories of repositories. */
  readonly #tops = new Set<string>();
  readonly #unread: { readonly path: string; readonly as: string }[] = [];

  constructor(options: FollowOptions, files: PointerFollower) {
    this.#options = options;
    this.#files = files;
  }

  /** Follows what was found, and what that leads to in turn. */
  async enter(found: readonly GuardedPath[]): Promise<void> {
    for (const place of found) this.#enterPlace(place);
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop()) {
      const below = await this.#options.findBelow(next.path, next.as);
      this.places.push(...below);
      // A link in there with a guarded name would lead on without end.
      for (const place of below.filter(({ as }) => !isSettingsDirectory(nameOf(as)))) {
        this.#enterPlace(place);
      }
    }
  }

  /** Follows the repositories that a directory lies in. */
  enterAbove(root: string): void {
    for (let at = root; at !== "/"; ) {
      at = parentOf(at);
      this.#lead(childOf(at, ".git"), childOf(at, ".git"));
      if (isRepository(at)) this.#enterRepository(at, childOf(at, ".git"));
    }
  }

  /** Follows the configuration that applies to all repositories. */
  enterGlobal(): void {
    const { home } = this.#options;
    const own =
      home === undefined ? [] : [childOf(home, ".gitconfig"), `${home}/.config/git/config`];
    for (const path of ["/etc/gitconfig", ...own]) {
      const as = `${parentOf(path)}/.git/config`;
      this.#lead(path, as, [...this.#tops]);
    }
  }

  #enterPlace(place: GuardedPath): void {
    const { kind, path, as, type } = place;
    if (kind === "fixed") this.#tops.add(parentOf(as));
    if ((kind !== "protected" && kind !== "watched") || !this.#options.mayFollow(place)) return;
    if (type === "link") {
      this.#lead(path, as);
      return;
    }
    const stats = lookAt(path);
    if (stats !== undefined) this.#read(path, as, { stats });
  }

  /** Goes where a path leads, and guards what is there and every link on the way. */
  #lead(path: string, as: string, bases?: readonly string[]): void {
    if (lookAt(path) === undefined) return;
    const { links, landing } = traceLinks(path);
    const isOpen = links.every((link) => this.#guard("protected", link, as));
    const key = `${as}\0${landing}`;
    if (!isOpen || this.#seen.has(key)) return;
    this.#seen.add(key);
    if (this.#seen.size > maxPointers) throw tooMany(path);
    const stats = lookAt(landing);
    if (stats === undefined) return;
    if (stats.isDirectory() && isGitName(as)) {
      if (isRepository(landing) && this.#guard("fixed", landing, as)) {
        this.#enterRepository(landing, as);
      }
    } else if (stats.isDirectory() && isSettingsDirectory(nameOf(as)) && !isProtectedPath(as)) {
      if (this.#isWritable(landing)) this.#unread.push({ path: landing, as });
    } else if (stats.isDirectory() && !isWholeDirectory(as)) {
      return;
    } else if (this.#guard("protected", landing, as)) {
      this.#read(landing, as, { stats, ...(bases !== undefined && { bases }) });
    }
  }

  #enterRepository(path: string, as: string): void {
    this.#tops.add(parentOf(as));
    for (const name of repositoryFiles) this.#lead(childOf(path, name), childOf(as, name));
  }

  /** Follows the content of one of git's files, or the links in a directory of hooks. */
  #read(
    path: string,
    as: string,
    { stats, bases }: { readonly stats: Stats; readonly bases?: readonly string[] },
  ): void {
    if (stats.isDirectory()) {
      for (const name of this.#files.readLinks(path, stats)) {
        this.#lead(childOf(path, name), childOf(as, name));
      }
      return;
    }
    if (isGitName(as)) {
      this.#tops.add(parentOf(as));
      const target = /^gitdir: (.+)$/su.exec(this.#readPath(path, stats))?.[1];
      if (target !== undefined) this.#lead(join(parentOf(path), target), as);
    } else if (isGitName(parentOf(as))) {
      const name = foldPath(nameOf(as));
      if (name === "commondir") {
        this.#leadToCommon(join(parentOf(path), this.#readPath(path, stats)), parentOf(as));
      } else if (name === "config" || name === "config.worktree") {
        const usual = [parentOf(parentOf(as)), parentOf(path)];
        this.#readSettings(path, as, { stats, bases: bases ?? usual });
      }
    }
  }

  #leadToCommon(path: string, as: string): void {
    if (!holdsObjects(path)) return;
    const { links, landing } = traceLinks(path);
    if (!links.every((link) => this.#guard("protected", link, as))) return;
    if (this.#guard("fixed", landing, as)) this.#enterRepository(landing, as);
  }

  #readSettings(
    path: string,
    as: string,
    { stats, bases }: { readonly stats: Stats; readonly bases: readonly string[] },
  ): void {
    const settings = this.#files.readSettings(path, stats);
    const named = (value: string, from: string): string => {
      if (!value.startsWith("~/")) return join(from, value);
      return join(this.#options.home ?? "/", value.slice(2));
    };
    for (const value of settings.includes) this.#lead(named(value, parentOf(path)), as, bases);
    const worktrees = settings.worktrees.map((value) => named(value, parentOf(path)));
    const hooks = childOf(parentOf(as), "hooks");
    for (const base of new Set([...bases, ...worktrees])) {
      for (const value of settings.hooks) {
        const directory = findLanding(named(value, base));
        // A whole repository can't be protected just because hooks are inside it.
        if (!isInside(directory, base)) this.#lead(named(value, base), hooks);
      }
      for (const value of settings.programs) {
        const program = named(value, base);
        if (lookAt(program) !== undefined) this.#lead(program, childOf(hooks, "program"));
      }
    }
  }

  // As git reads such files: everything but trailing line ends belongs to the path.
  #readPath(path: string, stats: Stats): string {
    const text = this.#files.readText(path, stats) ?? "";
    return text.replace(/\0.*$/su, "").replace(/[\r\n]+$/u, "");
  }

  /** Guards a path if a command can write it, and returns whether to follow it. */
  #guard(kind: GuardKind, path: string, as: string): boolean {
    // The workspace itself must stay writable, even if something leads to it.
    if (!this.#isWritable(path) || this.#options.writable.includes(path)) return true;
    const place = describePath(kind, path, as);
    if (place === undefined) return false;
    this.places.push(place);
    return this.#options.mayFollow(place);
  }

  #isWritable(path: string): boolean {
    return this.#options.writable.some((root) => isInside(root, path));
  }
}

// Not normalised: `..` after a link leads elsewhere than its text says.
function join(directory: string, path: string): string {
  return isAbsolute(path) ? path : `${directory}/${path}`;
}

function isGitName(path: string): boolean {
  return foldPath(nameOf(path)) === ".git";
}

/**
 * Whether a path protects everything in a directory of that name. A directory that a link below it
 * leads to is not included: it may hold a large part of the workspace.
 */
function isWholeDirectory(path: string): boolean {
  const name = foldPath(nameOf(path));
  if (isGitName(parentOf(path))) return name === "hooks";
  return isProtectedPath(path) && !isProtectedPath(parentOf(path));
}

function isRepository(directory: string): boolean {
  return lookAt(childOf(directory, "HEAD")) !== undefined;
}

function holdsObjects(directory: string): boolean {
  return ["objects", "refs"].every((name) => lookAt(childOf(directory, name)) !== undefined);
}

function tooMany(path: string): ToolError {
  return new ToolError(
    "too-large",
    `Commands can't run here: links and git's configuration lead to more than ${maxPointers} paths, the last of them ${path}. Work in a subdirectory.`,
    { absolutePath: path },
  );
}
