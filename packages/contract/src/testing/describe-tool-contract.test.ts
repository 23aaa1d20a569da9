import { afterEach, describe, expect, it } from "vitest";
import { describeToolContract } from "./describe-tool-contract.ts";
import { MockTool } from "./mock-tool.ts";
import { toolContractChecks } from "./tool-contract-checks.ts";

const tool = new MockTool({ name: "greet" });
const examples = [{ arguments: {} }];

afterEach(() => {
  Object.assign(globalThis, { describe, it });
});

function createRunner() {
  const groups: string[] = [];
  const tests = new Map<string, () => Promise<void>>();
  return {
    groups,
    tests,
    describe: (name: string, body: () => void) => {
      groups.push(name);
      body();
    },
    it: (name: string, body: () => Promise<void>) => {
      tests.set(name, body);
    },
  };
}

describe("describeToolContract", () => {
  it("makes one test of each check in one group", async () => {
    const runner = createRunner();
    describeToolContract(tool, examples, runner);
    expect(runner.groups).toEqual(["the contract of greet"]);
    const names = toolContractChecks(tool, examples).map((check) => check.name);
    expect([...runner.tests.keys()]).toEqual(names);
    await Promise.all(Array.from(runner.tests.values(), (test) => test()));
  });

  it("uses the global runner where none is given", () => {
    const runner = createRunner();
    Object.assign(globalThis, { describe: runner.describe, it: runner.it });
    describeToolContract(tool, examples);
    expect(runner.tests.size).toBeGreaterThan(10);
  });

  it("says what to do where there is no runner", () => {
    Object.assign(globalThis, { describe: undefined, it: undefined });
    expect(() => describeToolContract(tool, examples)).toThrow(/pass \{ describe, it \}/u);
  });
});
