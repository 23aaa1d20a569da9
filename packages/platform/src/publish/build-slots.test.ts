import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBuildSlots } from "./build-slots.ts";

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "haft-slots-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

describe("the directories of builds", () => {
  it("are given out one at a time, and empty", async () => {
    const slots = createBuildSlots(makeDirectory(), 1);
    const first = await slots.take();
    mkdirSync(join(first.directory, "kept", "closed"), { recursive: true });
    for (const name of ["kept/closed", "kept"]) chmodSync(join(first.directory, name), 0);
    writeFileSync(join(first.directory, "file"), "x");
    const second = slots.take();
    const third = slots.take(AbortSignal.abort(new Error("given up")));
    await expect(third).rejects.toThrow("given up");
    await first.release();
    await first.release();
    const { directory, release } = await second;
    expect(directory).toBe(first.directory);
    expect(readdirSync(directory)).toEqual([]);
    const cancel = new AbortController();
    const waiting = slots.take(cancel.signal);
    cancel.abort(new Error("given up"));
    await expect(waiting).rejects.toThrow("given up");
    await release();
    await (await slots.take()).release();
    await slots.remove();
    expect(existsSync(directory)).toBe(false);
  });

  it("are emptied even of deeply nested directories without permissions", async () => {
    const base = makeDirectory();
    const slots = createBuildSlots(base, 1);
    const { directory, release } = await slots.take();
    const script =
      "import os\nfor _ in range(60): os.mkdir('d' * 100); os.chdir('d' * 100)\nos.mkdir('x'); os.chmod('.', 0)";
    execFileSync("python3", ["-c", script], { cwd: directory });
    symlinkSync(base, join(directory, "link"));
    await release();
    expect(readdirSync(directory)).toEqual([]);
    expect(readdirSync(base)).toEqual([basename(directory)]);
  });

  it("of servers that were killed are removed, those of others are not", async () => {
    const directory = makeDirectory();
    const parent = join(directory, `${process.ppid}.1`);
    for (const path of [parent, join(directory, "999999999.1"), join(directory, "junk")]) {
      mkdirSync(join(path, "project"), { recursive: true });
    }
    await createBuildSlots(directory, 1).remove();
    expect(readdirSync(directory)).toEqual([`${process.ppid}.1`]);
  });
});
