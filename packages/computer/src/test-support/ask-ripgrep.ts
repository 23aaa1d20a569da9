import { spawnSync } from "node:child_process";
import { isInRepository } from "../search/is-in-repository.ts";
import { findRipgrep } from "../search/ripgrep.ts";

/** What ripgrep itself prints, in a directory. */
export function askRipgrep(
  args: readonly string[],
  { directory, environment = {} }: RipgrepOptions,
): Buffer {
  const program = findRipgrep();
  if (program === undefined) throw new Error("There is no ripgrep to compare with.");
  const { stdout } = spawnSync(program.path, ["--no-config", ...requireGit(directory), ...args], {
    cwd: directory,
    env: environment as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return stdout;
}

/** What makes ripgrep heed git's ignore files where there is no repository. */
export function requireGit(directory: string): readonly string[] {
  return isInRepository(directory) ? [] : ["--no-require-git"];
}

/** Directory and environment of a ripgrep run. */
export interface RipgrepOptions {
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The files that ripgrep would search, in the order of their paths. */
export function listWithRipgrep(options: RipgrepOptions): string[] {
  return askRipgrep(["--files", "--null"], options)
    .toString()
    .split("\0")
    .filter((path) => path !== "")
    .sort((a, b) => (a < b ? -1 : 1));
}
