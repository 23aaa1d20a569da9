import { describe, expect, it } from "vitest";
import { createTimeScale } from "./time-scale.ts";
import { findBlockers, type TimelineBar } from "./timeline-model.ts";

function bar(from: number, to: number, more: Partial<TimelineBar> = {}): TimelineBar {
  const base = { id: from, tool: "edit", state: "done", session: "s", depth: 0 };
  return { ...base, from, to, askedMs: 0, queuedMs: 0, ...more };
}

describe("what a call waited for", () => {
  it("is the call that ended last before it went on, in the same session", () => {
    const bars = [
      bar(0, 80),
      bar(0, 100),
      bar(10, 99, { session: "other" }),
      bar(20, 150, { queuedMs: 80 }),
      bar(200, 210),
    ];
    expect([...findBlockers(bars)]).toEqual([[3, 1]]);
  });

  it("is unknown if nothing ran meanwhile", () => {
    expect(findBlockers([bar(0, 10), bar(50, 90, { queuedMs: 20 })]).size).toBe(0);
  });
});

describe("the scale of a timeline", () => {
  it("keeps the order and shortens long times in which nothing ran", () => {
    const { place, gaps } = createTimeScale([
      { from: 0, to: 100 },
      { from: 50, to: 200 },
      { from: 1_000_000, to: 1_000_200 },
    ]);
    expect(gaps).toEqual([{ from: 200, to: 1_000_000 }]);
    expect([place(0), place(1_000_200)]).toEqual([0, 1]);
    expect(place(200)).toBeGreaterThan(0.4);
    expect(place(1_000_000) - place(200)).toBeLessThan(0.1);
    expect(place(50)).toBeLessThan(place(100));
  });

  it("places everything at the beginning if nothing took time", () => {
    expect(createTimeScale([{ from: 5, to: 5 }]).place(5)).toBe(0);
    expect(createTimeScale([]).place(5)).toBe(0);
  });
});
