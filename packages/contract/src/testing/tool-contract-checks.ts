import type { Tool } from "../tool.ts";
import { aliasChecks } from "./alias-checks.ts";
import { declarationChecks } from "./declaration-checks.ts";
import { exampleChecks } from "./example-checks.ts";
import { schemaChecks } from "./schema-checks.ts";
import type { ToolContractCheck } from "./tool-contract-check.ts";
import type { ToolExample } from "./tool-example.ts";

/** Returns the conformance suite as data, for any test runner. */
export function toolContractChecks(
  tool: Tool,
  examples: readonly ToolExample[],
): readonly ToolContractCheck[] {
  return [
    ...declarationChecks(tool),
    ...schemaChecks(tool),
    ...aliasChecks(tool, examples),
    {
      name: "comes with an example",
      run: async () => {
        if (examples.length === 0)
          throw new Error("No example was given, so the tool is never called.");
      },
    },
    ...examples.flatMap((example, index) =>
      exampleChecks(tool, { ...example, name: example.name ?? `example ${index + 1}` }),
    ),
  ];
}
