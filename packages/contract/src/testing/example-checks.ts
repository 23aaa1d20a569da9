import type { Tool } from "../tool.ts";
import { callExample, findArgumentsMisfit, type Outcome } from "./call-example.ts";
import { findLossInJson, findMissing } from "./compare-json.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { judgeAbortedCall, judgeOutcome } from "./judge-outcome.ts";
import { loadSchemaCompiler } from "./schema-compiler.ts";
import type { ToolContractCheck } from "./tool-contract-check.ts";
import type { ToolExample } from "./tool-example.ts";

/** Returns the checks of a tool when it is called as in an example. */
export function exampleChecks(tool: Tool, example: ToolExample): ToolContractCheck[] {
  // One call serves all checks of the outcome: a second one would find a changed state.
  let call: Promise<Outcome> | undefined;
  const outcome = (): Promise<Outcome> => {
    call ??= callExample(tool, example);
    return call;
  };
  const dataCheck = (
    name: string,
    findFault: (data: unknown) => string | undefined | Promise<string | undefined>,
  ): ToolContractCheck => ({
    name,
    run: async () => {
      const ended = await outcome();
      const fault = ended.type === "data" ? await findFault(ended.data) : undefined;
      if (fault !== undefined) throw new Error(fault);
    },
  });
  const checks: ToolContractCheck[] = [
    {
      name: "has arguments that fit the schema",
      run: async () => {
        const misfit = await findArgumentsMisfit(tool, example);
        if (misfit === undefined || example.expect?.error === "invalid-arguments") return;
        throw new Error(misfit);
      },
    },
    { name: "ends as expected", run: async () => judgeOutcome(await outcome(), example) },
    dataCheck("returns data that survives JSON unchanged", findLossInJson),
    dataCheck("returns data that fits its output schema", (data) => findOutputMisfit(tool, data)),
    dataCheck("returns the expected data", (data) =>
      example.expect?.data === undefined ? undefined : findMissing(example.expect.data, data),
    ),
    { name: "names its resources purely", run: async () => checkResourceKeys(tool, example) },
    {
      name: "prepares its arguments without throwing or changing them",
      run: async () => {
        tool.prepare?.(deepFreeze(example.arguments), { roots: ["/workspace"], home: undefined });
      },
    },
    {
      name: "stops at once if it is already aborted",
      run: async () => judgeAbortedCall(await callExample(tool, example, "aborted"), example),
    },
  ];
  return checks.map((check) => ({ ...check, name: `${example.name}: ${check.name}` }));
}

async function findOutputMisfit(tool: Tool, data: unknown): Promise<string | undefined> {
  if (tool.output === undefined) return undefined;
  const compile = await loadSchemaCompiler();
  try {
    return compile(tool.output)(data);
  } catch {
    // Another check reports a broken schema.
    return undefined;
  }
}

async function checkResourceKeys(tool: Tool, example: ToolExample): Promise<void> {
  if ((await findArgumentsMisfit(tool, example)) !== undefined) return;
  const given = deepFreeze(example.arguments);
  const first = tool.execution?.resourceKeys?.(given);
  const second = tool.execution?.resourceKeys?.(given);
  const difference = findMissing(first, second) ?? findMissing(second, first);
  if (difference !== undefined)
    throw new Error(`Two calls with the same arguments differ: ${difference}`);
}
