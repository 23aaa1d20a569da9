import type { Dirent } from "node:fs";
import { foldPath } from "../../paths/fold-path.ts";
import { childOf } from "../../paths/path-parts.ts";
import { isProtectedPath } from "../../paths/protected-path.ts";
import { isSecretPath } from "../../paths/secret-path.ts";
import { describePlace, type GuardedPlace, type GuardKind } from "./guarded-place.ts";

/** Whose a directory is: people's, or git's own. */
export type DirectoryKind = "plain" | "repository";

/** What matters of a directory. */
export interface JudgedEntries {
  readonly places: readonly GuardedPlace[];
  /** Which directories to look into. */
  readonly inner: readonly InnerDirectory[];
}

/** A directory to look into. */
export interface InnerDirectory {
  readonly path: string;
  readonly kind: DirectoryKind;
}

/** Finds what must be guarded among the names in a directory. */
export function judgeEntries(
  { path: directory, kind }: InnerDirectory,
  entries: readonly Dirent[],
): JudgedEntries {
  const places: GuardedPlace[] = [];
  const inner: InnerDirectory[] = [];
  const add = (found: GuardKind, path: string): void => {
    const place = describePlace(found, path);
    if (place !== undefined) places.push(place);
  };
  const names = new Set<string>();
  const isPackage = packages.test(`${directory}/`);
  for (const entry of entries) {
    const { name } = entry;
    const path = childOf(directory, name);
    if (repositoryNames.has(name)) names.add(name);
    if (!entry.isDirectory()) {
      if (isSecret(path, isPackage)) add("secret", path);
      else if (isGuarded(path, isPackage)) add("protected", path);
    } else if (holdsSecrets(path)) {
      add("secret", path);
    } else if (foldPath(name) === ".git") {
      add("fixed", path);
      inner.push({ path, kind: "repository" });
    } else if (isGuarded(path, isPackage)) {
      add("protected", path);
    } else {
      inner.push({ path, kind });
    }
  }
  if (kind === "repository") return { places, inner: inner.filter(leadsOn(names.has("HEAD"))) };
  // Whoever runs git in a repository without a directory for work runs what its configuration says.
  if (names.size === repositoryNames.size) {
    add("watched", childOf(directory, "config"));
    add("watched", childOf(directory, "hooks"));
  }
  return { places, inner };
}

// What comes from a registry holds certificates for its tests, and settings that nobody follows
// there. What is guarded can't be removed, and packages are removed all the time.
const packages = /\/(?:node_modules|site-packages)\//u;
const certificates = /\.(?:pem|key|p12|pfx|keystore|jks)$/iu;

function isSecret(path: string, isPackage: boolean): boolean {
  return isSecretPath(path) && !(isPackage && certificates.test(path));
}

function isGuarded(path: string, isPackage: boolean): boolean {
  return isProtectedPath(path) && (!isPackage || /\/\.git(?:\/|$)/u.test(path));
}

const repositoryNames: ReadonlySet<string> = new Set(["HEAD", "objects", "refs"]);

// Submodules and worktrees have repositories of their own in that of the whole. What git stores is
// of no use to look at: in it any name can occur.
function leadsOn(isRepository: boolean): (directory: InnerDirectory) => boolean {
  return ({ path }) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return isRepository ? further.has(name) : !stored.has(name);
  };
}

const further: ReadonlySet<string> = new Set(["modules", "worktrees"]);
const stored: ReadonlySet<string> = new Set(["objects", "refs", "logs", "lfs"]);

/** Whether all that can be in a directory is secret, whatever its name. */
function holdsSecrets(path: string): boolean {
  return path.includes("/.") && isSecretPath(childOf(path, "x"));
}
