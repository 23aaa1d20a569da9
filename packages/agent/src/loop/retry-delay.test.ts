import { describe, expect, it } from "vitest";
import { retryDelay } from "./retry-delay.ts";

describe("the wait before another try", () => {
  it("doubles up to half a minute", () => {
    const delays = [1, 2, 3, 7, 20].map((attempt) => retryDelay(attempt, undefined, () => 1));
    expect(delays).toEqual([500, 1000, 2000, 30_000, 30_000]);
  });

  it("is half as long at least, by chance", () => {
    expect(retryDelay(1, undefined, () => 0)).toBe(250);
  });

  it("is as the provider wishes, up to a minute", () => {
    expect([0, 7000, 3_600_000, -1].map((wished) => retryDelay(1, wished))).toEqual([
      0, 7000, 60_000, 0,
    ]);
  });
});
