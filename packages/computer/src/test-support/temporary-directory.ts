import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory for the running test, gone when the test is over. */
export function makeTemporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
