import { findDefinitionFault } from "../define-tool.ts";
import type { Tool, ToolAlias } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { findMissing } from "./compare-json.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { sampleSchema } from "./sample-schema.ts";
import { loadSchemaCompiler } from "./schema-compiler.ts";
import type { ToolContractCheck } from "./tool-contract-check.ts";
import type { ToolExample } from "./tool-example.ts";

/** Returns the checks of a tool's aliases. */
export function aliasChecks(tool: Tool, examples: readonly ToolExample[]): ToolContractCheck[] {
  return (tool.aliases ?? []).flatMap((alias) => [
    {
      name: `alias ${alias.name}: has a valid name`,
      run: async () => {
        const fault = findDefinitionFault({
          id: "sound",
          description: "Sound.",
          parameters: { type: "object" },
          requires: {},
          execute: tool.execute,
          aliases: [alias],
        });
        if (fault !== undefined) throw new Error(fault);
      },
    },
    {
      name: `alias ${alias.name}: has parameters that compile under draft 2020-12`,
      run: async () => {
        const compile = await loadSchemaCompiler();
        if (alias.parameters !== undefined) compile(alias.parameters);
      },
    },
    {
      name: `alias ${alias.name}: maps its arguments to the tool's, purely`,
      run: async () => {
        const samples = await findSamples(tool, alias, examples);
        for (const sample of samples ?? []) await checkMapping(tool, alias, sample);
      },
    },
  ]);
}

/** Returns arguments that fit the alias, or `undefined` if its schema does not compile. */
async function findSamples(
  tool: Tool,
  alias: ToolAlias<unknown>,
  examples: readonly ToolExample[],
): Promise<unknown[] | undefined> {
  const compile = await loadSchemaCompiler();
  const schema = alias.parameters ?? tool.parameters;
  try {
    const findMisfit = compile(schema);
    const candidates = [...sampleSchema(schema), ...examples.map((example) => example.arguments)];
    const samples = candidates.filter((candidate) => findMisfit(candidate) === undefined);
    if (samples.length > 0) return samples;
  } catch {
    return undefined;
  }
  throw new Error('Found no arguments to try the alias with. Add "examples" to its parameters.');
}

async function checkMapping(tool: Tool, alias: ToolAlias<unknown>, sample: unknown): Promise<void> {
  if (alias.toArguments === undefined) return;
  const given = deepFreeze(sample) as Record<string, unknown>;
  if (isRefused(() => alias.toArguments?.(given))) return;
  const first = deepFreeze(alias.toArguments(given));
  const difference = findMissing(first, alias.toArguments(given));
  if (difference !== undefined)
    throw new Error(`Two calls with the same arguments differ: ${difference}`);
  const compile = await loadSchemaCompiler();
  let misfit: string | undefined;
  try {
    misfit = compile(tool.parameters)(first);
  } catch {
    // Another check reports a broken schema of the tool.
  }
  if (misfit !== undefined)
    throw new Error(`The arguments made of ${JSON.stringify(sample)} do not fit: ${misfit}`);
}

// A mapping may refuse combinations of arguments that a schema can't express.
function isRefused(map: () => unknown): boolean {
  try {
    map();
    return false;
  } catch (error) {
    return ToolError.isInstance(error) && error.code === "invalid-arguments";
  }
}
