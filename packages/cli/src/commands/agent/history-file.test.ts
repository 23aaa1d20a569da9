import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHistory } from "./history-file.ts";

function createState(): string {
  const state = mkdtempSync(join(tmpdir(), "haft-history-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  return state;
}

function fileIn(state: string): string {
  return join(state, "history", readdirSync(join(state, "history"))[0] ?? "");
}

describe("openHistory", () => {
  it("keeps what was said, the last first, for its owner only", () => {
    const state = createState();
    const history = openHistory(state, "/a");
    for (const text of ["one", "two\nlines", "two\nlines"]) history.add(text);
    expect(history.entries()).toEqual(["two\nlines", "one"]);
    expect(openHistory(state, "/a").entries()).toEqual(["two\nlines", "one"]);
    expect(openHistory(state, "/b").entries()).toEqual([]);
    expect(statSync(fileIn(state)).mode & 0o777).toBe(0o600);
  });

  it("skips invalid lines, and stays bounded", () => {
    const state = createState();
    openHistory(state, "/a").add("first");
    const lines = Array.from({ length: 1_200 }, (_, at) => JSON.stringify(`entry ${at}`));
    writeFileSync(fileIn(state), ["{", "12", ...lines].join("\n"));
    const history = openHistory(state, "/a");
    expect(history.entries()).toHaveLength(500);
    expect(history.entries()[0]).toBe("entry 1199");
    expect(readFileSync(fileIn(state), "utf8").split("\n")).toHaveLength(501);
  });

  it("continues where nothing can be stored", () => {
    const state = createState();
    writeFileSync(join(state, "history"), "in the way");
    const history = openHistory(state, "/a");
    history.add("said");
    expect(history.entries()).toEqual(["said"]);
  });
});
