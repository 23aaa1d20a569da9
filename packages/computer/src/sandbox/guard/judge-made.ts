import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isInside } from "@haft/contract/internal";
import { findLanding } from "../../disk/landing.ts";
import { foldPath } from "../../paths/fold-path.ts";
import { childOf, nameOf, parentOf } from "../../paths/path-parts.ts";
import { findProtection } from "../../paths/protected-path.ts";
import { isOwnFile } from "../own-files.ts";
import { cleanGitConfig } from "./git-config.ts";
import type { GuardedPath } from "./guarded-path.ts";
import type { Quarantine } from "./quarantine.ts";

/** Where a command ran. */
export interface RunLocation {
  readonly writable: readonly string[];
  readonly home: string | undefined;
  readonly quarantine: Quarantine;
}

/** Decides about a path that a command made, and removes or cleans it. Returns notes on what it did. */
export function judgeMade(made: GuardedPath, place: RunLocation): readonly string[] {
  const { kind, path, as, type } = made;
  const { quarantine } = place;
  const protection = findProtection(as);
  const takeAway = (what: string): readonly string[] => [
    `${path} was removed: ${what}. It was moved to ${quarantine.take(path)}.`,
  ];
  if (kind === "fixed" || kind === "closed" || kind === "socket") return [];
  if (isOwnFile(path)) return [];
  if (protection === "git" || kind === "watched") return judgeGit(made, place, takeAway);
  if (protection === "rules") return takeAway("a command may not change what is allowed here");
  if (protection === "settings") {
    return takeAway("another program would read it as the user's settings");
  }
  if (protection === "home") return judgeHome(made, place, takeAway);
  // A link with the name of a settings directory: see `isSettingsDirectory`.
  return kind === "protected" && type === "link"
    ? takeAway("a command may not decide where settings are read from")
    : [];
}

function judgeHome(
  { path, kind }: GuardedPath,
  { home }: RunLocation,
  takeAway: (what: string) => readonly string[],
): readonly string[] {
  if (kind === "secret") {
    const isOpenDoor = nameOf(path) === ".ssh" && parentOf(path) === home;
    return isOpenDoor ? takeAway("a command may not decide who can log in") : [];
  }
  return isOfHome(path, home) ? takeAway("it would run with the next shell or program") : [];
}

function judgeGit(
  { path, as, type }: GuardedPath,
  place: RunLocation,
  takeAway: (what: string) => readonly string[],
): readonly string[] {
  const { quarantine } = place;
  const name = nameOf(foldPath(as));
  if (name === ".git" || name === "commondir") {
    if (!leadsInside(path, type, place)) return takeAway("it leads git to a directory elsewhere");
    return detach(path, quarantine);
  }
  if (name === "hooks" && type === "directory") return takeHooks(path, quarantine);
  if (name !== "config" && name !== "config.worktree") return takeAway("git would run it");
  const content = type === "file" ? quarantine.read(path) : undefined;
  if (content === undefined) return takeAway("it can't be git's configuration");
  return cleanConfig(path, content, place);
}

function takeHooks(path: string, quarantine: Quarantine): readonly string[] {
  return readdirSync(path)
    .filter((name) => !name.endsWith(".sample"))
    .map((name) => {
      const hook = childOf(path, name);
      return `${hook} was removed: hooks run with git. It was moved to ${quarantine.take(hook)}.`;
    });
}

function cleanConfig(
  path: string,
  content: string,
  { writable, quarantine }: RunLocation,
): readonly string[] {
  const cleaned = cleanGitConfig(content, (directory) =>
    writable.some((root) => isInside(root, findLanding(join(parentOf(path), directory)))),
  );
  if (cleaned.removed.length === 0) return detach(path, quarantine);
  const names = [...new Set(cleaned.removed)].join(", ");
  return [
    `${path} was changed: settings that could make git run programs were removed (${names}). The original is ${quarantine.replace(path, cleaned.content)}.`,
  ];
}

/** Replaces a file that has a second hard link, through which it could be changed later, by a copy. */
function detach(path: string, quarantine: Quarantine): readonly string[] {
  const stats = lstatSync(path);
  if (!stats.isFile() || stats.nlink === 1) return [];
  const taken = quarantine.replace(path, quarantine.read(path) ?? "");
  return [
    `${path} was replaced by a copy because it had a second hard link. The original is ${taken}.`,
  ];
}

/** Whether what git is told to follow stays where the command may write. */
function leadsInside(
  path: string,
  type: GuardedPath["type"],
  { writable, quarantine }: RunLocation,
): boolean {
  if (type === "directory") return true;
  const text = type === "link" ? readlinkSync(path) : quarantine.read(path);
  // As git reads it: everything but trailing line ends belongs to the path.
  const target = text
    ?.replace(/\0.*$/su, "")
    .replace(/[\r\n]+$/u, "")
    .replace(/^gitdir: /u, "");
  if (target === undefined || target === "") return false;
  const landing = findLanding(join(parentOf(path), target));
  return writable.some((root) => isInside(root, landing));
}

// Not normalised: `..` after a link leads elsewhere than its text says.
function join(directory: string, path: string): string {
  return isAbsolute(path) ? path : `${directory}/${path}`;
}

function isOfHome(path: string, home: string | undefined): boolean {
  if (home === undefined || !isInside(home, path)) return false;
  return parentOf(path) === home || isInside(childOf(home, ".config"), path);
}
