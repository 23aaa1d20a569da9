import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSource } from "../test-support/spawn-source.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";

const megabyte = 1024 * 1024;

describe("execute", () => {
  it("needs the same memory for any amount of output", async () => {
    const base = makeTemporaryDirectory();
    mkdirSync(join(base, "workspace"));
    const told = await runSource("print-much.ts", [
      join(base, "workspace"),
      join(base, "state"),
      `head -c ${200 * megabyte} /dev/zero | tr '\\0' x`,
      `yes | head -c ${100 * megabyte}`,
    ]);
    expect(told).toMatchObject({ sizes: [200 * megabyte, 100 * megabyte] });
    expect((told as { grown: number }).grown).toBeLessThan(80 * megabyte);
  }, 60_000);
});
