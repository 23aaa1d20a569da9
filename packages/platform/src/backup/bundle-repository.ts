import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { toGitEnvironment } from "@haft/computer/internal";
import { BackupError } from "./backup-error.ts";

const run = promisify(execFile);
const maxOutputBytes = 16 * 1024 * 1024;

/** Writes a bare repository's branches and commits into one file. Returns the target of `HEAD`. */
export async function bundleRepository(
  repository: string,
  file: string,
): Promise<{ readonly head: string; readonly isEmpty: boolean }> {
  const head = (await git(repository, ["symbolic-ref", "HEAD"])).trim();
  const isEmpty = (await git(repository, ["for-each-ref", "--count=1"])) === "";
  if (!isEmpty) await git(repository, ["bundle", "create", "--quiet", file, "--all"]);
  return { head, isEmpty };
}

/** Creates a bare repository from a bundle, or an empty one, and checks every object in it. */
export async function unbundleRepository(
  repository: string,
  file: string | undefined,
  head: string,
): Promise<void> {
  const form = ["--quiet", "--bare", "--template=", "--object-format=sha1"];
  await git(undefined, ["init", ...form, "--", repository]);
  if (file !== undefined) {
    const checked = ["-c", "fetch.fsckObjects=true"];
    await git(repository, [...checked, "fetch", "--quiet", file, "+refs/*:refs/*"]);
  }
  await git(repository, ["symbolic-ref", "HEAD", head]);
}

async function git(repository: string | undefined, words: readonly string[]): Promise<string> {
  const directory = repository === undefined ? [] : ["--git-dir", repository];
  // The user may differ from the owner of the files, and the user's git settings must not apply.
  const settings = { "safe.directory": "*", "init.defaultBranch": "main" };
  const environment = toGitEnvironment(process.env, { settings, protocols: ["file"] });
  try {
    const { stdout } = await run("git", [...directory, ...words], {
      env: { ...environment, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      maxBuffer: maxOutputBytes,
    });
    return stdout;
  } catch (error) {
    const { code, stderr = "" } = error as { readonly code?: unknown; readonly stderr?: string };
    const why = code === "ENOENT" ? "git is not installed" : stderr.trim() || "git failed";
    throw new BackupError(`A repository can't be read or written: ${why}.`, { cause: error });
  }
}
