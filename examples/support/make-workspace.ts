import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory with files for one test, and another for what Haft keeps. */
export function makeWorkspace(files: Readonly<Record<string, string>> = {}): {
  readonly directory: string;
  readonly state: string;
} {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "haft-example-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const directory = join(home, "workspace");
  mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  return { directory, state: join(home, "state") };
}
