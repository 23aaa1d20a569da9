import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Problem } from "../problem.ts";
import type { BuildLimits } from "./build-limits.ts";

type WriteLimits = Pick<BuildLimits, "maxWrittenBytes" | "maxWrittenFiles">;

const everyMs = 1_000;

/**
 * Measures directories repeatedly until the signal fires, and then once more.
 * Returns a `Problem` 400 when a limit is exceeded, or else `undefined`.
 */
export async function watchWritten(
  directories: readonly string[],
  limits: WriteLimits,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  for (;;) {
    await wait(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    // Looked at before measuring: what is written during the last measurement must be measured again.
    const isLast = signal.aborted;
    const problem = await judgeWritten(directories, limits);
    if (problem !== undefined || isLast) return problem;
  }
}

/** Measures directories. Returns a `Problem` 400 as soon as a limit is exceeded. */
export async function judgeWritten(
  directories: readonly string[],
  { maxWrittenBytes, maxWrittenFiles }: WriteLimits,
): Promise<Problem | undefined> {
  let [bytes, files] = [0, 0];
  const left = [...directories];
  for (let at = left.pop(); at !== undefined; at = left.pop()) {
    try {
      for await (const entry of await opendir(at)) {
        files += 1;
        const path = join(at, entry.name);
        if (entry.isDirectory()) left.push(path);
        // Blocks on the disk, because a sparse file can claim any size.
        else bytes += (await lstat(path)).blocks * 512;
        if (files > maxWrittenFiles || bytes > maxWrittenBytes) {
          return new Problem(
            400,
            `The build wrote more than ${files > maxWrittenFiles ? `${maxWrittenFiles} files` : `${maxWrittenBytes} bytes`} and was stopped. Depend on fewer or smaller packages.`,
          );
        }
      }
    } catch (error) {
      // Entries that change meanwhile are counted the next time. A directory that can't be listed
      // could hold anything.
      if ((error as NodeJS.ErrnoException).code !== "EACCES") continue;
      return new Problem(
        400,
        "The build created a directory that can't be listed and was stopped. Don't change the permissions of directories.",
      );
    }
  }
  return undefined;
}
