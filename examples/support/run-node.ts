import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What a program wrote. */
export interface Written {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program from the root of the repository, as the READMEs say. It throws if that fails. */
export async function runNode(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Written> {
  return promisify(execFile)(process.execPath, [...args], {
    cwd: root,
    env: { ...process.env, ...environment },
  });
}

/** Runs the `haft` that was built. */
export function runHaft(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Written> {
  return runNode(["packages/cli/bin/haft.js", ...args], environment);
}
