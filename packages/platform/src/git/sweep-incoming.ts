import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createCautiousClock } from "../cautious-clock.ts";

// Longer than the time limit of a push.
const minAgeMs = 3_600_000;
const now = createCautiousClock(Date.now);

/**
 * Removes quarantine directories of pushes whose git was killed. Git keeps new objects there until
 * they are checked, and removes the directory only if it ends by itself.
 */
export async function sweepIncoming(path: string): Promise<void> {
  const objects = join(path, "objects");
  for (const name of await readdir(objects)) {
    if (!/^(tmp_objdir-)?incoming-/.test(name)) continue;
    const incoming = join(objects, name);
    const age = await stat(incoming).then(
      ({ mtimeMs }) => now() - mtimeMs,
      () => 0,
    );
    if (age > minAgeMs) await rm(incoming, { recursive: true, force: true });
  }
}
