import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What an ordinary git said. */
export interface ClientResult {
  readonly code: number | null;
  readonly stdout: string;
  /** What a person would see, the server's remarks included. */
  readonly stderr: string;
}

/** Runs the machine's git as a person would, without any configuration. */
export async function runClient(
  cwd: string,
  args: readonly string[],
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly input?: string | Uint8Array;
  } = {},
): Promise<ClientResult> {
  const child = spawn("git", args, {
    cwd,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: cwd,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      GIT_AUTHOR_NAME: "Ada",
      GIT_AUTHOR_EMAIL: "ada@example.com",
      GIT_COMMITTER_NAME: "Ada",
      GIT_COMMITTER_EMAIL: "ada@example.com",
      ...options.environment,
    },
  });
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, stdout, stderr };
}

/** Runs git and gives what it printed; fails when it does. */
export async function requireClient(cwd: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runClient(cwd, args);
  if (code !== 0) throw new Error(`git ${args.join(" ")} ended with ${code}: ${stderr}`);
  return stdout.trim();
}

/** Makes a working tree with one commit that has these files, on `main`. */
export async function makeWorkingTree(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  await requireClient(directory, ["init", "--quiet", "--initial-branch=main"]);
  return await commitFiles(directory, files);
}

/** Commits files on top of what is there; gives the commit. */
export async function commitFiles(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  message = "Change something",
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  await requireClient(directory, ["add", "--all"]);
  await requireClient(directory, ["commit", "--quiet", "--allow-empty", "-m", message]);
  return await requireClient(directory, ["rev-parse", "HEAD"]);
}
