import { toGitEnvironment } from "@haft/computer/internal";
import { runProgram } from "../../../environments/run-program.ts";
import type { Io } from "../../../io.ts";

/** Address and credentials of the platform's repository. */
export interface Remote {
  readonly url: string;
  /** Value of the Authorization header. It is never on a command line. */
  readonly authorization: string;
}

/** The context in which git runs. */
export interface GitContext {
  readonly io: Io;
  readonly remote?: Remote;
  /** Further variables for git. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs git in a folder. Throws with its output if the exit code is not 0. */
export async function git(
  directory: string,
  words: readonly string[],
  context: GitContext,
): Promise<string> {
  const { exitCode, stdout, stderr } = await tryGit(directory, words, context);
  if (exitCode === 0) return stdout.trimEnd();
  throw new Error(`git ${words[0]} failed: ${stderr.trim() || stdout.trim() || exitCode}`);
}

/**
 * Runs git in a folder and returns its exit code. The repository is untrusted: no program that its
 * configuration names is run. Git reaches the network only if there is a remote.
 */
export async function tryGit(
  directory: string,
  words: readonly string[],
  { io, remote, environment = {} }: GitContext,
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const timeoutMs = remote === undefined ? maxLocalMs : maxRemoteMs;
  const isOver = AbortSignal.timeout(timeoutMs);
  const allowance = remote === undefined ? {} : { settings: reach(remote), protocols };
  const ran = runProgram("git", ["--no-pager", ...words], {
    directory,
    environment: { ...toGitEnvironment(io.environment, allowance), ...environment },
    signal: AbortSignal.any([io.signal, isOver]),
  });
  const { exitCode, ...said } = await ran.catch((error: unknown) => {
    if (!isOver.aborted) throw error;
    throw new Error(
      `git ${words[0]} took more than ${timeoutMs / 1000} s in ${directory}. Check whether a file there, such as .gitignore, is a pipe or a device.`,
    );
  });
  if (exitCode === undefined) throw new Error("git is not installed. Install it and try again.");
  return { exitCode, ...said };
}

const maxLocalMs = 60_000;
const maxRemoteMs = 600_000;
const protocols = ["https", "http"];

// Passed in the environment, which other processes cannot read, in addition to git's files.
function reach({ url, authorization }: Remote): Readonly<Record<string, string>> {
  return {
    [`http.${url}.extraHeader`]: `Authorization: ${authorization}`,
    // No credential helper is asked for the key or stores it.
    "credential.helper": "",
  };
}
