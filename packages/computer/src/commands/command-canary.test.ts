import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { judgeReading } from "../test-support/judge-reading.ts";
import { randomNesting } from "../test-support/random-nesting.ts";
import { makeBashFixture } from "../test-support/run-in-bash.ts";
import { makeTemporaryDirectory } from "../test-support/temporary-directory.ts";
import { createCommandReader } from "./command-reader.ts";

const place = { roots: ["/w"], home: "/home/me" };
const reader = createCommandReader(place);

// Elsewhere the programs of these scripts have other options.
const isLinux = process.platform === "linux";

// As generous as rules get: everything that is no risk, and the programs that the scripts use.
const allow = [
  "*",
  ..."awk bash cat cd echo env eval exec find git make nice perl printf python3 sed sh sort".split(
    " ",
  ),
  ..."split tar test timeout trap true false xargs : [ [[ command time nohup setsid".split(" "),
  "git log",
  "git status",
];

beforeAll(() => reader.prepare());

describe("a program that is not allowed", () => {
  it("is never allowed, however it is nested", () => {
    fc.assert(
      fc.property(randomNesting("canary", 4), ({ script }) => {
        expect(judgeReading(reader.read(script, "/w"), { allow })).not.toBe("allow");
      }),
      { numRuns: 3000 },
    );
  });

  it.skipIf(!isLinux)(
    "really runs in most of those scripts",
    () => {
      const bash = makeBashFixture(makeTemporaryDirectory(), ["canary"]);
      const scripts = fc.sample(randomNesting("canary", 2), { numRuns: 120, seed: 7 });
      const ran = scripts.filter(({ script }) => bash.run(script).length > 0);
      expect(ran.length).toBeGreaterThan(scripts.length * 0.75);
    },
    120_000,
  );
});

describe("a program that is denied", () => {
  it.skipIf(!isLinux)(
    "is denied in every script that runs it and has its name in it",
    () => {
      const bash = makeBashFixture(makeTemporaryDirectory(), ["rm"]);
      const scripts = fc
        .sample(randomNesting("rm", 3), { numRuns: 600, seed: 11 })
        .filter(({ isNamed }) => isNamed);
      const missed = scripts.filter(
        ({ script }) => judgeReading(reader.read(script, "/w"), { allow, deny: ["rm"] }) !== "deny",
      );
      const reallyMissed = missed.filter(({ script }) => bash.run(script).length > 0);
      expect(reallyMissed.map(({ script }) => script)).toEqual([]);
      expect(missed.length).toBeLessThan(scripts.length * 0.2);
    },
    120_000,
  );

  it("is denied past any number of other commands", () => {
    for (const count of [10, 199, 250, 600, 5000]) {
      const script = `${"echo a; ".repeat(count)}r\\m -rf x`;
      expect(judgeReading(reader.read(script, "/w"), { allow, deny: ["rm"] })).toBe("deny");
    }
  });

  it("is denied behind any number of wrappers", () => {
    for (const count of [1, 11, 12, 13, 40, 400]) {
      const script = `${"nice ".repeat(count)}rm -rf x`;
      expect(judgeReading(reader.read(script, "/w"), { allow, deny: ["rm"] })).toBe("deny");
    }
  });
});
