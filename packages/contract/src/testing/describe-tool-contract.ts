import type { Tool } from "../tool.ts";
import { toolContractChecks } from "./tool-contract-checks.ts";
import type { ToolExample } from "./tool-example.ts";

/** The functions of a test runner. */
export interface TestRunner {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

/**
 * Runs the conformance suite on a tool. By default it uses the test runner's global `describe` and
 * `it`.
 *
 * @example
 * ```ts
 * import { describeToolContract, MockTool } from "@haft/contract/testing";
 * import { describe, it } from "vitest";
 *
 * const greet = new MockTool({ name: "greet" });
 * describeToolContract(greet, [{ arguments: { name: "Ada" } }], { describe, it });
 * ```
 */
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
      "No global describe and it. Enable your test runner's globals, or pass { describe, it } as the third argument.",
    );
  }
  return { describe, it };
}
