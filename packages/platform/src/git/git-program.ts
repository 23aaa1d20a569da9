import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findOnPath } from "@haft/computer/internal";

/** The git installation of this machine. */
export interface GitProgram {
  /** The program to start and the arguments before git's own: git itself, or `prlimit` with git. */
  readonly command: readonly string[];
  /** The program that can limit a single run further, if there is one. */
  readonly limiter?: string | undefined;
  readonly version: string;
  /** Whether it supports `core.fsync`. */
  readonly syncsByComponent: boolean;
  /** The message IDs of this git's `fsck`. */
  readonly complaints: readonly string[];
}

const run = promisify(execFile);
const minVersion = [2, 34] as const;
const syncByComponent = [2, 36] as const;
// Far more than git needs for an allowed push, far less than a malicious one requests.
const maxMemoryBytes = 3 * 1024 ** 3;
const maxProcessorSeconds = 300;

/** Finds git. Throws an error that says what to do if it is missing or too old. */
export async function findGit(searchPath: string = process.env.PATH ?? ""): Promise<GitProgram> {
  const path = findOnPath("git", searchPath);
  if (path === undefined) {
    throw new Error(`git was not found on the PATH. Install git ${minVersion.join(".")} or later.`);
  }
  const version = await readVersion(path);
  if (!isAtLeast(version, minVersion)) {
    throw new Error(
      `${path} is git ${version}, which is too old. Install git ${minVersion.join(".")} or later.`,
    );
  }
  const limiter = await findLimiter(path, searchPath);
  return {
    command: [...limiter, path],
    limiter: limiter[0],
    version,
    syncsByComponent: isAtLeast(version, syncByComponent),
    complaints: await readComplaints(path),
  };
}

async function readVersion(path: string): Promise<string> {
  const { stdout } = await run(path, ["version"], { env: plainEnvironment() });
  return /^git version (\d+\.\d+(?:\.\d+)*)/.exec(stdout)?.[1] ?? "of an unknown version";
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Finds `prlimit`, which limits the memory and processor time of a git process. */
async function findLimiter(git: string, searchPath: string): Promise<readonly string[]> {
  const path = findOnPath("prlimit", searchPath);
  if (path === undefined) return [];
  const limiter = [
    path,
    `--as=${maxMemoryBytes}`,
    `--cpu=${maxProcessorSeconds}`,
    "--core=0",
  ] as const;
  // The limits of a limited process can't be raised. Then its own limits apply.
  return await run(path, [...limiter.slice(1), git, "version"], { env: plainEnvironment() }).then(
    () => limiter,
    () => [],
  );
}

/** Reads the message IDs of `fsck`. They differ by version; git lists them among its settings. */
async function readComplaints(path: string): Promise<readonly string[]> {
  const { stdout } = await run(path, ["help", "--config"], { env: plainEnvironment() });
  const names = [...stdout.matchAll(/^receive\.fsck\.(\w+)$/gm)].map(([, name = ""]) => name);
  // The first is not a message ID. The second is never reported by fsck.
  const complaints = names.filter((name) => name !== "skipList" && name !== "extraHeaderEntry");
  if (complaints.length === 0) {
    throw new Error(
      `${path} does not list the checks of its fsck. Install git from your distribution's package.`,
    );
  }
  return complaints;
}

function plainEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH ?? "",
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
}
