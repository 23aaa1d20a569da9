import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { BackupError } from "./backup-error.ts";

const run = promisify(execFile);
const mostOutputBytes = 16 * 1024 * 1024;

/** Writes a bare repository's branches and commits into one file; returns what `HEAD` stands for. */
export async function bundleRepository(
  repository: string,
  file: string,
): Promise<{ readonly head: string; readonly isEmpty: boolean }> {
  const head = (await git(repository, ["symbolic-ref", "HEAD"])).trim();
  const isEmpty = (await git(repository, ["for-each-ref", "--count=1"])) === "";
  if (!isEmpty) await git(repository, ["bundle", "create", "--quiet", file, "--all"]);
  return { head, isEmpty };
}

/** Makes a bare repository of a bundle, or an empty one, and checks every object in it. */
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
  const place = repository === undefined ? [] : ["--git-dir", repository];
  // Whoever backs up need not be who owns the files, and has settings that are none of ours.
  const settings = ["-c", "safe.directory=*", "-c", "init.defaultBranch=main"];
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")),
  );
  try {
    const { stdout } = await run("git", [...settings, ...place, ...words], {
      env: { ...environment, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      maxBuffer: mostOutputBytes,
    });
    return stdout;
  } catch (error) {
    const { code, stderr = "" } = error as { readonly code?: unknown; readonly stderr?: string };
    const why = code === "ENOENT" ? "git is not installed" : stderr.trim() || "git failed";
    throw new BackupError(`A repository can't be read or written: ${why}.`, { cause: error });
  }
}
