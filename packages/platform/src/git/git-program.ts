import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";

/** The git of this machine. */
export interface GitProgram {
  /** What to start, and the arguments before git's own: git itself, or what limits it first. */
  readonly command: readonly string[];
  readonly version: string;
  /** Whether it can be told with one setting to write everything through to the disk. */
  readonly syncsByComponent: boolean;
  /** What `git fsck` can complain of, by the names of this git. */
  readonly complaints: readonly string[];
}

const run = promisify(execFile);
const oldest = [2, 34] as const;
const syncByComponent = [2, 36] as const;
// Far more than git needs for what a push may hold, far less than what a malicious one asks for.
const mostMemoryBytes = 3 * 1024 ** 3;
const mostProcessorSeconds = 300;

/** Finds git, and refuses one that is missing or too old with a sentence that says what to do. */
export async function findGit(searchPath: string = process.env.PATH ?? ""): Promise<GitProgram> {
  const path = await findOnPath("git", searchPath);
  if (path === undefined) {
    throw new Error(`There is no git on the PATH. Install git ${oldest.join(".")} or later.`);
  }
  const version = await readVersion(path);
  if (!isAtLeast(version, oldest)) {
    throw new Error(
      `${path} is git ${version}, which is too old. Install git ${oldest.join(".")} or later.`,
    );
  }
  return {
    command: [...(await findLimiter(path, searchPath)), path],
    version,
    syncsByComponent: isAtLeast(version, syncByComponent),
    complaints: await readComplaints(path),
  };
}

async function findOnPath(name: string, searchPath: string): Promise<string | undefined> {
  for (const directory of searchPath.split(delimiter)) {
    if (!isAbsolute(directory)) continue;
    const path = join(directory, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return undefined;
}

async function readVersion(path: string): Promise<string> {
  const { stdout } = await run(path, ["version"], { env: plainEnvironment() });
  return /^git version (\d+\.\d+(?:\.\d+)*)/.exec(stdout)?.[1] ?? "of an unknown version";
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** `prlimit` where there is one: it bounds what one git can take of memory and processor. */
async function findLimiter(git: string, searchPath: string): Promise<readonly string[]> {
  const path = await findOnPath("prlimit", searchPath);
  if (path === undefined) return [];
  const limiter = [
    path,
    `--as=${mostMemoryBytes}`,
    `--cpu=${mostProcessorSeconds}`,
    "--core=0",
  ] as const;
  // A process that is limited already can't be given more; then its limits are what holds.
  return await run(path, [...limiter.slice(1), git, "version"], { env: plainEnvironment() }).then(
    () => limiter,
    () => [],
  );
}

/** Each git knows others, and lists those that it knows among its settings. */
async function readComplaints(path: string): Promise<readonly string[]> {
  const { stdout } = await run(path, ["help", "--config"], { env: plainEnvironment() });
  const names = [...stdout.matchAll(/^receive\.fsck\.(\w+)$/gm)].map(([, name = ""]) => name);
  // The first is a setting of another kind; the second is one that fsck itself does not complain of.
  const complaints = names.filter((name) => name !== "skipList" && name !== "extraHeaderEntry");
  if (complaints.length === 0) {
    throw new Error(`${path} does not say what its fsck checks. Install git from a usual package.`);
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
