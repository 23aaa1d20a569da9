import { chmodSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { judgeWritten, watchWritten } from "./watch-written.ts";

describe("judgeWritten", () => {
  const limits = { maxWrittenBytes: 64 * 1024, maxWrittenFiles: 10 };
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "haft-written-"));
    mkdirSync(join(directory, "a/b"), { recursive: true });
  });

  afterEach(() => {
    chmodSync(join(directory, "a/b"), 0o700);
    rmSync(directory, { recursive: true });
  });

  it("counts what the disk holds, not what a sparse file claims", async () => {
    writeFileSync(join(directory, "a/b/file"), "x");
    truncateSync(join(directory, "a/b/file"), 1024 ** 3);
    expect(await judgeWritten([directory], limits)).toBeUndefined();
    writeFileSync(join(directory, "a/b/other"), Buffer.alloc(128 * 1024, 1));
    expect((await judgeWritten([directory], limits))?.message).toContain("65536 bytes");
  });

  it("counts files", async () => {
    for (let at = 0; at < 11; at++) writeFileSync(join(directory, `a/b/${at}`), "");
    expect((await judgeWritten([directory], limits))?.message).toContain("10 files");
  });

  // Root can list everything, so that nothing is hidden from it.
  it.runIf(process.getuid?.() !== 0)("refuses what can't be listed", async () => {
    chmodSync(join(directory, "a/b"), 0o000);
    expect((await judgeWritten([directory], limits))?.message).toContain("can't be listed");
  });
});

describe("watchWritten", () => {
  it("measures again what was written while it measured", async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-written-"));
    const ended = new AbortController();
    // The program writes and ends after the first measurement has listed the directories.
    const directories = Object.assign([directory], {
      *[Symbol.iterator](): ArrayIterator<string> {
        if (ended.signal.aborted) yield directory;
        writeFileSync(join(directory, "one"), "");
        writeFileSync(join(directory, "two"), "");
        ended.abort();
      },
    });
    try {
      const limits = { maxWrittenBytes: 64 * 1024, maxWrittenFiles: 1 };
      const problem = await watchWritten(directories, limits, ended.signal);
      expect(problem?.message).toContain("1 files");
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
