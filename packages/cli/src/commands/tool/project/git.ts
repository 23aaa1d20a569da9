import { runProgram } from "../../../environments/run-program.ts";
import type { Io } from "../../../io.ts";

/** How to reach the platform's repository: where, and with which key. */
export interface Remote {
  readonly url: string;
  /** The value of a header; never on a command line. */
  readonly authorization: string;
}

/** What git runs with. */
export interface GitContext {
  readonly io: Io;
  readonly remote?: Remote;
  /** Variables of git's own. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs git in a folder; an exit code other than 0 is an error with what it said. */
export async function git(
  directory: string,
  words: readonly string[],
  context: GitContext,
): Promise<string> {
  const { exitCode, stdout, stderr } = await tryGit(directory, words, context);
  if (exitCode === 0) return stdout.trimEnd();
  throw new Error(`git ${words[0]} failed: ${stderr.trim() || stdout.trim() || exitCode}`);
}

/** Runs git in a folder, however it ends. */
export async function tryGit(
  directory: string,
  words: readonly string[],
  { io, remote, environment: given = {} }: GitContext,
): Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }> {
  const own = { ...withoutPlace(io.environment), ...given };
  const environment = remote === undefined ? own : withRemote(own, remote);
  const { exitCode, ...said } = await runProgram("git", words, {
    directory,
    environment: { ...environment, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0" },
    signal: io.signal,
  });
  if (exitCode === undefined) throw new Error("git is not installed, and this needs it.");
  return { exitCode, ...said };
}

// Which repository it is about is said by the folder, also where git itself has started us.
function withoutPlace(environment: Io["environment"]): Io["environment"] {
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_PREFIX, ...others } = environment;
  return others;
}

// Settings in the environment add to those of the files; other processes can't read them.
function withRemote(environment: Io["environment"], remote: Remote): Io["environment"] {
  const settings = [
    [`http.${remote.url}.extraHeader`, `Authorization: ${remote.authorization}`],
    // Nobody's keyring is to be asked, and none is to keep the key.
    ["credential.helper", ""],
  ];
  const given = Number(environment.GIT_CONFIG_COUNT ?? 0) || 0;
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${given + at}`, key],
    [`GIT_CONFIG_VALUE_${given + at}`, value],
  ]);
  return {
    ...environment,
    ...Object.fromEntries(pairs),
    GIT_CONFIG_COUNT: String(given + settings.length),
  };
}
