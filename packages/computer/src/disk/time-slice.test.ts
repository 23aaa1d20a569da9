import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { enterTimeSlice, isTimeSliceSpent } from "@haft/contract/internal";
import { describe, expect, it } from "vitest";
import { createDiskWorkspace } from "../test-support/disk-workspace.ts";
import { openScope } from "../test-support/open-scope.ts";

describe("the budget of a turn", () => {
  it("is spent by work and renewed by the next turn", async () => {
    // Only the first look at a turn finds it unspent however busy the machine is.
    const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await nextTurn();
    expect(enterTimeSlice()).toBeUndefined();
    const end = performance.now() + 4;
    while (performance.now() < end);
    expect(isTimeSliceSpent()).toBe(true);
    await enterTimeSlice();
    await nextTurn();
    expect(isTimeSliceSpent()).toBe(false);
  });

  it("lets others have their turn while thousands of files are read", async () => {
    const { computer, root } = createDiskWorkspace();
    for (let index = 0; index < 200; index++)
      writeFileSync(join(root, `f${index}`), "x".repeat(2000));
    const { files } = openScope(computer);
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const reads = Array.from({ length: 10_000 }, (_, index) => files.read(`f${index % 200}`));
    await Promise.all(reads);
    clearImmediate(timer);
    // They take tens of milliseconds on the fastest machine, and a turn is over after two.
    expect(turns).toBeGreaterThan(5);
  });
});
