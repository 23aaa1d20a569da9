import type { Dirent } from "node:fs";
import type { DeniedFiles } from "@haft/core/internal";
import { foldPath } from "../../paths/fold-path.ts";
import { childOf, nameOf } from "../../paths/path-parts.ts";
import { isProtectedPath, isSettingsDirectory } from "../../paths/protected-path.ts";
import { isSecretPath } from "../../paths/secret-path.ts";
import { describePath, type GuardedPath, type GuardKind } from "./guarded-path.ts";

/**
 * The kind of a directory: an ordinary one, git's own, the hooks of a bare repository, or below a
 * protected directory.
 */
export type DirectoryKind = "plain" | "repository" | "hooks" | "protected";

/** The relevant entries of a directory. */
export interface JudgedEntries {
  readonly places: readonly GuardedPath[];
  /** Directories to search next. */
  readonly inner: readonly InnerDirectory[];
}

/** A directory to search. */
export interface InnerDirectory {
  readonly path: string;
  /** The path that its names are judged by; see `GuardedPath`. */
  readonly as: string;
  readonly kind: DirectoryKind;
  /** What rules deny of it as a whole, so that nothing in it needs a guard against the same. */
  readonly denied?: RuleKind | undefined;
}

/** How a rule closes a path. What can't be read can't be changed either. */
export type RuleKind = Extract<GuardKind, "unreadable" | "unwritable">;

/** Finds what must be guarded among the names in a directory. */
export function judgeEntries(
  { path: directory, as: directoryAs, kind, denied }: InnerDirectory,
  entries: readonly Dirent[],
  rules?: DeniedFiles,
): JudgedEntries {
  const places: GuardedPath[] = [];
  const inner: InnerDirectory[] = [];
  const add = (found: GuardKind, path: string, as: string): void => {
    const place = describePath(found, path, as);
    if (place !== undefined) places.push(place);
  };
  const names = new Set<string>();
  const isPackage = packages.test(`${directoryAs}/`);
  for (const entry of entries) {
    const { name } = entry;
    const path = childOf(directory, name);
    const as = directory === directoryAs ? path : childOf(directoryAs, name);
    if (repositoryNames.has(name)) names.add(name);
    const closed = rules && judgeByRules(path, rules, entry.isDirectory());
    if (closed !== undefined && !isWithin(denied, closed)) add(closed, path, as);
    const below = closed === undefined || isWithin(denied, closed) ? denied : closed;
    if (entry.isSocket()) {
      add("socket", path, as);
    } else if (!entry.isDirectory()) {
      const found = judgeFile(as, { isLink: entry.isSymbolicLink(), kind, isPackage });
      if (found !== undefined) add(found, path, as);
    } else if (holdsSecrets(as)) {
      add("secret", path, as);
    } else if (foldPath(name) === ".git") {
      add("fixed", path, as);
      inner.push({ path, as, kind: "repository", denied: below });
    } else if (isGuarded(as, isPackage)) {
      if (kind !== "protected") add("protected", path, as);
      inner.push({ path, as, kind: "protected", denied: below });
    } else {
      inner.push({ path, as, kind, denied: below });
    }
  }
  if (kind === "repository") return { places, inner: inner.filter(leadsOn(names.has("HEAD"))) };
  if (!isBareRepository(names)) return { places, inner };
  // Git that runs in a bare repository runs what its configuration says.
  const repository = childOf(directoryAs, ".git");
  for (const { name } of entries.filter((entry) => !entry.isDirectory())) {
    if (bareFiles.has(name)) add("watched", childOf(directory, name), childOf(repository, name));
  }
  return { places, inner: inner.map((found) => watchHooks(found, repository)) };
}

/** Returns how rules close a file, or a directory with everything in it. */
export function judgeByRules(
  path: string,
  rules: DeniedFiles,
  isDirectory: boolean,
): RuleKind | undefined {
  const isDenied = (mode: "read" | "write"): boolean =>
    isDirectory ? rules.hasAllOf(path, mode) : rules.has(path, mode);
  if (isDenied("read")) return "unreadable";
  return isDenied("write") ? "unwritable" : undefined;
}

function isWithin(outer: RuleKind | undefined, inner: RuleKind): boolean {
  return outer === "unreadable" || outer === inner;
}

interface JudgedFile {
  readonly isLink: boolean;
  /** The directory it lies in. */
  readonly kind: DirectoryKind;
  readonly isPackage: boolean;
}

function judgeFile(path: string, { isLink, kind, isPackage }: JudgedFile): GuardKind | undefined {
  if (isSecret(path, isPackage) || (isLink && holdsSecrets(path))) return "secret";
  if (kind === "hooks") return path.endsWith(".sample") ? undefined : "watched";
  // The whole directory is protected; but not the targets of links in it.
  if (kind === "protected") return isLink && !isPackage ? "protected" : undefined;
  const leadsToSettings = isLink && !isPackage && isSettingsDirectory(nameOf(path));
  return leadsToSettings || isGuarded(path, isPackage) ? "protected" : undefined;
}

function watchHooks(found: InnerDirectory, repository: string): InnerDirectory {
  if (nameOf(found.path) !== "hooks") return found;
  return { ...found, as: childOf(repository, "hooks"), kind: "hooks" };
}

// Installed packages hold certificates for their tests, and settings without effect there. Guarded
// files can't be removed, and packages are removed all the time.
const packages = /\/(?:node_modules|site-packages)\//u;
const certificates = /\.(?:pem|key|p12|pfx|keystore|jks)$/iu;

function isSecret(path: string, isPackage: boolean): boolean {
  return isSecretPath(path) && !(isPackage && certificates.test(path));
}

function isGuarded(path: string, isPackage: boolean): boolean {
  return isProtectedPath(path) && (!isPackage || /\/\.git(?:\/|$)/u.test(path));
}

const bareFiles: ReadonlySet<string> = new Set(["config", "config.worktree", "commondir", "hooks"]);
const repositoryNames: ReadonlySet<string> = new Set(["HEAD", "objects", "refs", "commondir"]);

// Git's objects may be in another repository, which the file `commondir` names.
function isBareRepository(names: ReadonlySet<string>): boolean {
  if (!names.has("HEAD")) return false;
  return names.has("commondir") || (names.has("objects") && names.has("refs"));
}

// Submodules and worktrees have their repositories inside the main one. Git's object store is not
// searched: any name can occur in it.
function leadsOn(isRepository: boolean): (directory: InnerDirectory) => boolean {
  return ({ path }) => {
    const name = nameOf(path);
    return isRepository ? further.has(name) : !stored.has(name);
  };
}

const further: ReadonlySet<string> = new Set(["modules", "worktrees", "hooks"]);
const stored: ReadonlySet<string> = new Set(["objects", "refs", "logs", "lfs"]);

/** Whether everything in a directory counts as secret, whatever its name. */
export function holdsSecrets(path: string): boolean {
  return path.includes("/.") && isSecretPath(childOf(path, "x"));
}
