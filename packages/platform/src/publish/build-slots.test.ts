import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
    mkdirSync(join(first.directory, "kept", "closed"), { recursive: true, mode: 0 });
    writeFileSync(join(first.directory, "file"), "x");
    const second = slots.take();
    const third = slots.take(AbortSignal.abort(new Error("given up")));
    await expect(third).rejects.toThrow("given up");
    first.release();
    first.release();
    const { directory, release } = await second;
    expect(directory).toBe(first.directory);
    expect(readdirSync(directory)).toEqual([]);
    const cancel = new AbortController();
    const waiting = slots.take(cancel.signal);
    cancel.abort(new Error("given up"));
    await expect(waiting).rejects.toThrow("given up");
    release();
    (await slots.take()).release();
    slots.remove();
    expect(existsSync(directory)).toBe(false);
  });

  it("of servers that were killed are removed, those of others are not", () => {
    const directory = makeDirectory();
    const parent = join(directory, `${process.ppid}.1`);
    for (const path of [parent, join(directory, "999999999.1"), join(directory, "junk")]) {
      mkdirSync(join(path, "project"), { recursive: true });
    }
    createBuildSlots(directory, 1);
    expect(readdirSync(directory).sort()).toEqual([`${process.ppid}.1`, `${process.pid}.1`].sort());
  });
});
