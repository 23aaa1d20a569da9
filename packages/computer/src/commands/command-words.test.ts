import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { findLanding } from "../disk/landing.ts";
import { judgeReading } from "../test-support/judge-reading.ts";
import { randomCommandLine, standIns } from "../test-support/random-command-line.ts";
import { makeBashFixture } from "../test-support/run-in-bash.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { createCommandReader } from "./command-reader.ts";

beforeAll(() => createCommandReader({ roots: [], home: undefined }).prepare());

describe.skipIf(process.platform !== "linux")("a command line that would be allowed", () => {
  it("runs the very words that were read, where it was read that it would", () => {
    const directory = makeTemporaryDirectory();
    mkdirSync(join(directory, "a/b"), { recursive: true });
    symlinkSync("a/b", join(directory, "link"));
    const reader = createCommandReader({ roots: [directory], home: directory });
    const bash = makeBashFixture(directory, standIns);
    const lines = fc
      .sample(randomCommandLine, { numRuns: 6000, seed: 3 })
      .filter((line) => judgeReading(reader.read(line, directory), { allow: ["*"] }) === "allow");
    let calls = 0;
    for (const line of new Set(lines.slice(0, 400))) {
      const { commands } = reader.read(line, directory);
      const known = commands.map(({ words, cwd }) =>
        JSON.stringify([words, findLanding(cwd ?? "/unknown")]),
      );
      for (const { words, cwd } of bash.run(line)) {
        calls++;
        expect(known, line).toContain(JSON.stringify([words, cwd]));
      }
    }
    expect(lines.length).toBeGreaterThan(300);
    expect(calls).toBeGreaterThan(300);
  }, 180_000);
});
