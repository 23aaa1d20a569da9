import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeDirectories } from "./make-directories.ts";

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "haft-make-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

describe("makeDirectories", () => {
  it("makes what is missing, and is content with what is there", () => {
    const path = join(temporary(), "a", "b", "c");
    makeDirectories(path, 0o700);
    makeDirectories(path, 0o700);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it("refuses where a file is in the way", () => {
    const file = join(temporary(), "file");
    writeFileSync(file, "");
    expect(() => makeDirectories(file, 0o700)).toThrow("EEXIST");
    expect(() => makeDirectories(join(file, "a"), 0o700)).toThrow("ENOTDIR");
  });

  it.runIf(process.platform === "linux")("gives up where no directory can be made", () => {
    expect(() => makeDirectories("/proc/nowhere/a", 0o700)).toThrow("ENOENT");
  });
});
