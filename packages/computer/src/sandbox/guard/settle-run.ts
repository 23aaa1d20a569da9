import { lstatSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { findLanding } from "../../disk/landing.ts";
import { foldPath } from "../../paths/fold-path.ts";
import { childOf, isInside, nameOf, parentOf } from "../../paths/path-parts.ts";
import { isOwnFile } from "../own-files.ts";
import { cleanGitConfig } from "./git-config.ts";
import type { GuardedPlace } from "./guarded-place.ts";
import type { Quarantine } from "./quarantine.ts";

/** Where a command ran. */
export interface SettledPlace {
  readonly writable: readonly string[];
  readonly home: string | undefined;
  readonly quarantine: Quarantine;
}

/**
 * Takes away what a command made and may not leave behind: rules and settings of its own, and what
 * makes git, a shell or an editor run programs. What was there before was guarded while it ran; what
 * it makes anew can't be guarded, so until it ends and this is called somebody else's git or shell
 * may meet it. Returns a sentence for everything it did.
 */
export function settleRun(
  before: readonly GuardedPlace[],
  after: readonly GuardedPlace[],
  place: SettledPlace,
): readonly string[] {
  const known = new Set(before.map(({ path, identity }) => `${identity} ${path}`));
  // A directory that was moved takes with it what was guarded in it.
  const identities = new Set(before.map(({ identity }) => identity));
  const paths = new Set(before.map(({ path }) => path));
  return after.flatMap((found) => {
    if (known.has(`${found.identity} ${found.path}`)) return [];
    if (paths.has(found.path) && isMountPoint(found.path)) return removeMountPoint(found.path);
    if (identities.has(found.identity)) return [];
    try {
      return judge(found, place);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return [`${found.path} should not have been made and can't be taken away: ${reason}.`];
    }
  });
}

// What was to be covered was gone when the sandbox was made, so this was made to be covered.
function isMountPoint(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size === 0 && (stats.mode & 0o777) === 0o444;
}

function removeMountPoint(path: string): readonly string[] {
  rmSync(path, { force: true });
  return [];
}

function judge({ kind, path, type }: GuardedPlace, place: SettledPlace): readonly string[] {
  const { quarantine } = place;
  const folded = foldPath(path);
  const name = nameOf(folded);
  const takeAway = (what: string): readonly string[] => [
    `${path} was taken away: ${what}. It is in ${quarantine.take(path)}.`,
  ];
  if (kind === "secret") {
    const isOpenDoor = name === ".ssh" && parentOf(path) === place.home;
    return isOpenDoor ? takeAway("a command may not decide who can log in") : [];
  }
  if (kind === "fixed") return [];
  if (name === ".git" || (inRepository.test(folded) && name === "commondir")) {
    return leadsInside(path, type, place) ? [] : takeAway("it leads git to a directory elsewhere");
  }
  if (kind === "watched" || inRepository.test(folded)) {
    if (name === "hooks" && type === "directory") return takeHooks(path, quarantine);
    const content = type === "file" ? quarantine.read(path) : undefined;
    if (content === undefined) return takeAway("it can't be git's configuration");
    return cleanConfig(path, content, place);
  }
  if (ours.test(folded)) {
    return isOwnFile(path) ? [] : takeAway("a command may not change what is allowed here");
  }
  return isOfHome(path, place.home) ? takeAway("it would run with the next shell or program") : [];
}

const inRepository = /\/\.git\//u;
const ours = /\/\.(?:haft|amp|claude)\/|\/\.mcp\.json$/u;

function takeHooks(path: string, quarantine: Quarantine): readonly string[] {
  return readdirSync(path)
    .filter((name) => !name.endsWith(".sample"))
    .map((name) => {
      const hook = childOf(path, name);
      return `${hook} was taken away: hooks run with git. It is in ${quarantine.take(hook)}.`;
    });
}

function cleanConfig(
  path: string,
  content: string,
  { writable, quarantine }: SettledPlace,
): readonly string[] {
  const cleaned = cleanGitConfig(content, (directory) =>
    writable.some((root) => isInside(root, findLanding(resolve(parentOf(path), directory)))),
  );
  if (cleaned.removed.length === 0) return [];
  const names = [...new Set(cleaned.removed)].join(", ");
  return [
    `${path} was changed: settings that could make git run programs were taken out (${names}). As it was it is in ${quarantine.replace(path, cleaned.content)}.`,
  ];
}

/** Whether what git is told to follow stays where the command may write. */
function leadsInside(
  path: string,
  type: GuardedPlace["type"],
  { writable, quarantine }: SettledPlace,
): boolean {
  if (type === "directory") return true;
  const text = type === "link" ? readlinkSync(path) : quarantine.read(path);
  const target = text?.replace(/^gitdir:\s*/u, "").trim();
  if (target === undefined || target === "") return false;
  const landing = findLanding(resolve(parentOf(path), target));
  return writable.some((root) => isInside(root, landing));
}

function isOfHome(path: string, home: string | undefined): boolean {
  if (home === undefined || !isInside(home, path)) return false;
  return parentOf(path) === home || isInside(childOf(home, ".config"), path);
}
