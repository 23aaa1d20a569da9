import { describe, expect, it } from "vitest";
import { takeLatest } from "./take-latest.ts";
import { answer, came, end, user } from "./test-support/open-test-threads.ts";
import type { ThreadEntry } from "./thread.ts";

function latest(entries: readonly ThreadEntry[], characters: number, size = 10) {
  let read = 0;
  function* backwards() {
    for (let at = entries.length; at >= 1; at--) {
      read++;
      const entry = entries[at - 1] as ThreadEntry;
      yield { stored: { at, time: 0, entry }, characters: size };
    }
  }
  return { ats: takeLatest(backwards(), characters).map(({ at }) => at), read };
}

const turn = [user("a"), answer("b", "1"), came("1"), end];

describe("takeLatest", () => {
  it("gives everything where there is room", () => {
    expect(latest([...turn, ...turn], 1000).ats).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(latest([], 1000).ats).toEqual([]);
  });

  it("gives whole turns only", () => {
    expect(latest([...turn, ...turn, ...turn], 85).ats).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
    expect(latest([...turn, ...turn, ...turn], 79).ats).toEqual([9, 10, 11, 12]);
  });

  it("gives the last turn wholly, however long it is", () => {
    expect(latest([...turn, ...turn], 0).ats).toEqual([5, 6, 7, 8]);
    expect(latest([user("a"), answer("b", "1"), came("1")], 1).ats).toEqual([1, 2, 3]);
  });

  it("goes back to the last summary and no further", () => {
    const summary: ThreadEntry = { kind: "summary", text: "So far so good." };
    expect(latest([...turn, summary, ...turn], 1000).ats).toEqual([5, 6, 7, 8, 9]);
    expect(latest([...turn, summary, ...turn, ...turn], 45).ats).toEqual([10, 11, 12, 13]);
    expect(latest([user("a"), summary, answer("b")], 0).ats).toEqual([2, 3]);
  });

  it("takes notices before a prompt to the turn that they begin", () => {
    const notice: ThreadEntry = { kind: "notice", text: "A task ended." };
    expect(latest([...turn, notice, ...turn], 0).ats).toEqual([5, 6, 7, 8, 9]);
    expect(latest([user("a"), answer("b"), notice, answer("c"), end], 0).ats).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it("begins a turn with a prompt also where the one before has no end", () => {
    expect(latest([user("a"), answer("b"), user("c"), answer("d")], 0).ats).toEqual([3, 4]);
  });

  it("begins with an answer where a turn is far too long", () => {
    const steps = Array.from({ length: 500 }, () => [answer("b", "1"), came("1")]).flat();
    const long = [...turn, user("a"), ...steps, end];
    const { ats, read } = latest(long, 100_000, 1000);
    expect(ats.length).toBeGreaterThan(90);
    expect(ats.length).toBeLessThanOrEqual(100);
    expect(long[(ats[0] ?? 0) - 1]?.kind).toBe("assistant");
    expect(ats.at(-1)).toBe(long.length);
    expect(read).toBeLessThan(250);
  });

  it("takes the end of a long turn rather than next to nothing", () => {
    const steps = Array.from({ length: 50 }, () => [answer("b", "1"), came("1")]).flat();
    const entries = [user("a"), ...steps, end, user("c")];
    const { ats } = latest(entries, 200);
    expect(entries[(ats[0] ?? 0) - 1]?.kind).toBe("assistant");
    expect(ats.length).toBeGreaterThan(15);
    expect(ats.at(-1)).toBe(entries.length);
  });

  it("gives one answer at least", () => {
    const entries = [user("a"), answer("b", "1"), came("1")];
    expect(latest(entries, 10, 1e6).ats).toEqual([2, 3]);
    expect(latest([user("a"), answer("b")], 10, 1e6).ats).toEqual([2]);
  });

  it("reads no further than it has to", () => {
    const many = Array.from({ length: 1000 }, () => turn).flat();
    expect(latest(many, 100).read).toBeLessThan(20);
  });
});
