import type { Tool } from "../tool.ts";
import { toolContractChecks } from "./tool-contract-checks.ts";
import type { ToolExample } from "./tool-example.ts";

/** The two functions that every test runner has. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/** Runs the conformance suite on a tool: by default with the runner's global `describe` and `it`. */
export function describeToolContract(
  tool: Tool,
  examples: readonly ToolExample[],
  runner: TestRunner = findGlobalRunner(),
): void {
  runner.describe(`the contract of ${tool.id}`, () => {
    for (const check of toolContractChecks(tool, examples)) {
      runner.it(check.name, () => check.run());
    }
  });
}

function findGlobalRunner(): TestRunner {
  const { describe, it } = globalThis as Partial<TestRunner>;
  if (typeof describe !== "function" || typeof it !== "function") {
    throw new TypeError(
      "There is no global describe and it. Turn your runner's globals on, or pass { describe, it } as the third argument.",
    );
  }
  return { describe, it };
}
