import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

// Longer than any push may take.
const oldMs = 3_600_000;

/**
 * Takes away what pushes left whose git was killed: it keeps what comes apart until it has been
 * checked, and only a git that ends by itself takes that away again.
 */
export async function sweepIncoming(path: string): Promise<void> {
  const objects = join(path, "objects");
  for (const name of await readdir(objects)) {
    if (!/^(tmp_objdir-)?incoming-/.test(name)) continue;
    const place = join(objects, name);
    const age = await stat(place).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > oldMs) await rm(place, { recursive: true, force: true });
  }
}
