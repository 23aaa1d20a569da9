import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { idPattern } from "../new-id.ts";
import { Problem } from "../problem.ts";
import type { Git } from "./git-process.ts";
import { runGit } from "./run-git.ts";
import { sweepIncoming } from "./sweep-incoming.ts";

/** Where the organizations' repositories are. */
export interface RepositoryFolders {
  /** The directory of an organization's bare repository, which is made when it is first asked for. */
  require(organization: string): Promise<string>;
}

const organizationPattern = new RegExp(idPattern);

/** Keeps one repository per organization in a directory that several processes may share. */
export function createRepositoryFolders(git: Git, directory: string): RepositoryFolders {
  const made = new Map<string, Promise<string>>();
  return {
    require: (organization) => {
      if (!organizationPattern.test(organization)) {
        return Promise.reject(new Problem(404, "There is no such organization."));
      }
      const known = made.get(organization);
      if (known !== undefined) return known;
      const path = make(git, { directory, organization });
      made.set(organization, path);
      path.catch(() => made.delete(organization));
      return path;
    },
  };
}

async function make(
  git: Git,
  place: { readonly directory: string; readonly organization: string },
): Promise<string> {
  const path = join(place.directory, `${place.organization}.git`);
  if (existsSync(path)) {
    await sweepIncoming(path);
    return path;
  }
  await mkdir(place.directory, { recursive: true, mode: 0o700 });
  // Made elsewhere and put in its place in one step, so that nobody ever sees half of it.
  const draft = join(
    place.directory,
    `new-${place.organization}-${randomBytes(6).toString("hex")}`,
  );
  try {
    await runGit(git, [
      "init",
      "--quiet",
      "--bare",
      "--template=",
      "--object-format=sha1",
      "--initial-branch=main",
      "--",
      draft,
    ]);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process was quicker; theirs is as good.
    if (!isTaken(error)) throw error;
  }
  return path;
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOTEMPTY" || code === "EEXIST";
}
