import { type FSWatcher, watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

// An editor writes several files, or one of them in several steps.
const settleMs = 100;

/** Resolves when something has changed in one of the folders of these files, or the signal aborts. */
export async function watchFolders(
  directory: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const folders = new Set(paths.map((path) => dirname(resolve(directory, path))));
  // Folders between the files and the project, too: one of them may be renamed.
  for (const folder of folders) {
    const parent = dirname(folder);
    if (parent.startsWith(directory)) folders.add(parent);
  }
  folders.add(directory);
  const watchers: FSWatcher[] = [];
  await new Promise<void>((done) => {
    signal.addEventListener("abort", () => done(), { once: true });
    if (signal.aborted) done();
    for (const folder of folders) {
      try {
        watchers.push(watch(folder, () => done()).on("error", () => done()));
      } catch {
        // It was removed meanwhile.
        done();
      }
    }
  });
  for (const watcher of watchers) watcher.close();
  await pause(settleMs, undefined, { signal }).catch(() => undefined);
}
