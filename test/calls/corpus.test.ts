import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { writeCallsReference } from "./calls-reference.ts";
import { type Counts, countOutcomes } from "./run-corpus.ts";
import { countPeers } from "./run-peers.ts";

describe("the calls of the corpus", () => {
  let kinds: ReadonlyMap<string, Counts>;
  beforeAll(async () => {
    kinds = await countOutcomes();
  });

  it("never do anything that was not meant", () => {
    expect([...kinds].filter(([, { wrong }]) => wrong > 0)).toEqual([]);
  });

  it.each([
    ["edits, copied exactly", 1, 1],
    ["edits, copied inexactly", 0.94, 0.995],
    ["line numbers left in", 0.95, 1],
    ["text that is not quite there", 0.5, 1],
    ["text written from memory", 0.3, 1],
    ["other names for edit", 0.9, 1],
    ["other names for write", 0.9, 1],
    ["other names for bash", 0.9, 1],
    ["other names for read and search", 0.9, 1],
    ["paths", 0.8, 0.98],
    ["patches", 0.8, 1],
    ["searches", 0.9, 1],
  ])("of %s land often enough, or teach", (kind, landing, helping) => {
    const { landed, taught, refused } = kinds.get(kind) as Counts;
    const all = landed + taught + refused;
    expect(landed / all).toBeGreaterThanOrEqual(landing);
    expect((landed + taught) / all).toBeGreaterThanOrEqual(helping);
  });

  it("are in docs/reference/calls.md as they are; npm run docs writes it", async () => {
    const page = readFileSync(new URL("../../docs/reference/calls.md", import.meta.url), "utf8");
    expect(page).toBe(writeCallsReference(kinds, await countPeers()));
  });
});
