import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How many gits work on the repositories in a directory. */
export async function countGitProcesses(directory: string): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-ww", "-o", "args="]);
  return stdout
    .split("\n")
    .filter((line) => /(^|\/)git(-[a-z-]+)? /.test(line) && line.includes(directory)).length;
}
