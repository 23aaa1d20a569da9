import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";

const bin = fileURLToPath(new URL("../bin/haft.js", import.meta.url));

describe("the haft program", () => {
  it("runs as a process of its own, on what was built", async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bin-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    writeFileSync(join(directory, "a.txt"), "one\n");
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [bin, "call", "read", "path=a.txt", "-C", directory],
      { env: { ...process.env, HAFT_HOME: join(directory, "state") } },
    );
    expect({ stdout, stderr }).toEqual({ stdout: "1: one\n", stderr: "" });
  });
});
