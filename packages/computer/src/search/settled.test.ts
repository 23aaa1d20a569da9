import { describe, expect, it } from "vitest";
import { isSettled } from "./settled.ts";

describe("isSettled", () => {
  it("does not trust a change that another one could hide behind", () => {
    const at = (ms: number) => ({ mtimeMs: ms, ctimeMs: ms });
    expect(isSettled(at(1000.5), 1020)).toBe(false);
    expect(isSettled(at(1000.5), 1100)).toBe(true);
    expect(isSettled(at(2000.5), 1000)).toBe(false);
  });

  it("waits longer where the clock knows whole seconds only", () => {
    expect(isSettled({ mtimeMs: 1000, ctimeMs: 1000 }, 2900)).toBe(false);
    expect(isSettled({ mtimeMs: 1000, ctimeMs: 1000 }, 3200)).toBe(true);
  });
});
