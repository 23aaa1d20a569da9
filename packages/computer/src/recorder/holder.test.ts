import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { describeHolder, isHolding } from "./holder.ts";

describe("a holder", () => {
  it("holds as long as its process runs", () => {
    expect(isHolding(describeHolder())).toBe(true);
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    expect(isHolding(JSON.stringify({ ...JSON.parse(describeHolder()), pid }))).toBe(false);
  });

  it("holds in another container, where it can't be looked at", () => {
    const elsewhere = { ...JSON.parse(describeHolder()), space: "pid:[1]", boot: "b", host: "h" };
    expect(isHolding(JSON.stringify(elsewhere))).toBe(true);
  });

  it("holds nothing if it does not say who it is", () => {
    expect(isHolding("")).toBe(false);
  });
});
