import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { idPattern } from "../new-id.ts";
import { Problem } from "../problem.ts";
import type { Git } from "./git-process.ts";
import type { ProjectTree } from "./repositories.ts";
import { runGit } from "./run-git.ts";
import { sweepIncoming } from "./sweep-incoming.ts";

/** The directories of the organizations' repositories. */
export interface RepositoryFolders {
  /** Returns the directory of an organization's bare repository. It is created on first use. */
  require(organization: string): Promise<string>;
}

const organizationPattern = new RegExp(idPattern);

/** Returns the files that `main` of a new repository has. */
export type InitialFiles = () => Promise<ProjectTree>;

/** Manages one repository per organization, in a directory that several processes can share. */
export function createRepositoryFolders(
  git: Git,
  directory: string,
  initialFiles?: InitialFiles,
): RepositoryFolders {
  const made = new Map<string, Promise<string>>();
  return {
    require: (organization) => {
      if (!organizationPattern.test(organization)) {
        return Promise.reject(new Problem(404, "There is no such organization."));
      }
      const known = made.get(organization);
      if (known !== undefined) return known;
      const path = make(git, { directory, organization, initialFiles });
      made.set(organization, path);
      path.catch(() => made.delete(organization));
      return path;
    },
  };
}

async function make(
  git: Git,
  options: {
    readonly directory: string;
    readonly organization: string;
    readonly initialFiles: InitialFiles | undefined;
  },
): Promise<string> {
  const path = join(options.directory, `${options.organization}.git`);
  if (existsSync(path)) {
    await sweepIncoming(path);
    return path;
  }
  await mkdir(options.directory, { recursive: true, mode: 0o700 });
  // Created elsewhere and renamed, so that no process sees an incomplete repository.
  const draft = join(
    options.directory,
    `new-${options.organization}-${randomBytes(6).toString("hex")}`,
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
    if (options.initialFiles !== undefined) await commit(git, draft, await options.initialFiles());
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process created it first. Use that one.
    if (!isTaken(error)) throw error;
  }
  return path;
}

/** Commits files to `main` of an empty repository. */
async function commit(git: Git, path: string, files: ProjectTree): Promise<void> {
  const message = "Add the scaffold\n";
  const parts: (string | Uint8Array)[] = [
    "commit refs/heads/main\n",
    `committer Haft <haft@localhost> ${Math.floor(Date.now() / 1_000)} +0000\n`,
    `data ${message.length}\n${message}`,
  ];
  for (const [name, bytes] of files) {
    parts.push(`M 100644 inline ${name}\ndata ${bytes.length}\n`, bytes, "\n");
  }
  const input = Buffer.concat(parts.map((part) => Buffer.from(part)));
  await runGit(git, [`--git-dir=${path}`, "fast-import", "--quiet"], { input });
}

function isTaken(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOTEMPTY" || code === "EEXIST";
}
