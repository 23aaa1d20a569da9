import { findDefinitionFault } from "../define-tool.ts";
import type { Tool, ToolAlias } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { findMissing } from "./compare-json.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { sampleSchema } from "./sample-schema.ts";
import { loadSchemaCompiler } from "./schema-compiler.ts";
import type { ToolContractCheck } from "./tool-contract-check.ts";
import type { ToolExample } from "./tool-example.ts";

/** What must be true of each other name of a tool. */
export function aliasChecks(tool: Tool, examples: readonly ToolExample[]): ToolContractCheck[] {
  return (tool.aliases ?? []).flatMap((alias) => [
    {
      name: `alias ${alias.name}: has a legal name`,
      run: async () => {
        const fault = findDefinitionFault({
          id: "sound",
          description: "Sound.",
          parameters: { type: "object" },
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

/** Arguments that fit the alias; `undefined` where its schema does not compile and can't tell. */
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
  throw new Error('Found no arguments to try it with. Give its parameters "examples".');
}

async function checkMapping(tool: Tool, alias: ToolAlias<unknown>, sample: unknown): Promise<void> {
  if (alias.toArguments === undefined) return;
  const given = deepFreeze(sample) as Record<string, unknown>;
  if (isRefused(() => alias.toArguments?.(given))) return;
  const first = deepFreeze(alias.toArguments(given));
  const difference = findMissing(first, alias.toArguments(given));
  if (difference !== undefined) throw new Error(`Called twice it gives two results: ${difference}`);
  const compile = await loadSchemaCompiler();
  let misfit: string | undefined;
  try {
    misfit = compile(tool.parameters)(first);
  } catch {
    // That the tool's own schema is broken is another check's finding.
  }
  if (misfit !== undefined) throw new Error(`Made of ${JSON.stringify(sample)}: ${misfit}`);
}

// Arguments that don't go together may be more than a schema can say: then the mapping says it.
function isRefused(map: () => unknown): boolean {
  try {
    map();
    return false;
  } catch (error) {
    return ToolError.isInstance(error) && error.code === "invalid-arguments";
  }
}
