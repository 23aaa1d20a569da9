import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
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

  it("is made by several processes at once", async () => {
    const base = temporary();
    const script = `
      const { makeDirectories } = await import(process.argv[1]);
      for (let round = 0; round < 1000; round++) makeDirectories(process.argv[2] + "/" + round + "/a/b", 0o700);
    `;
    const file = fileURLToPath(new URL("./make-directories.ts", import.meta.url));
    const run = promisify(execFile);
    const options = ["--no-warnings", "--input-type=module", "--eval", script, file, base];
    await Promise.all([1, 2, 3].map(() => run(process.execPath, options)));
    expect(readdirSync(base)).toHaveLength(1000);
  });
});
