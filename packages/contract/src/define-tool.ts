import type { FromSchema } from "./from-schema.ts";
import type { ObjectSchema } from "./json-schema.ts";
import type { Tool } from "./tool.ts";

/** What an author writes: a tool whose source is `module` unless said. */
export type ToolDefinition<Schema extends ObjectSchema, Data> = Omit<
  Tool<FromSchema<Schema>, Data>,
  "parameters" | "source"
> & { readonly parameters: Schema; readonly source?: Tool["source"] };

/** Declares a tool. The types of its arguments come from its JSON Schema. */
export function defineTool<const Schema extends ObjectSchema, Data>(
  definition: ToolDefinition<Schema, Data>,
): Tool<FromSchema<Schema>, Data> {
  const complaint = findDefinitionFault(definition);
  if (complaint !== undefined) throw new TypeError(complaint);
  return { source: "module", ...definition };
}

const legalId = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** What is wrong with a tool's declaration, as a sentence; `undefined` if nothing is. */
export function findDefinitionFault(tool: {
  readonly id: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly aliases?: readonly { readonly name: string }[];
}): string | undefined {
  if (!isLegalName(tool.id)) {
    return `Tool id ${JSON.stringify(tool.id)} is not legal: a letter or underscore, then up to 63 letters, digits, underscores or hyphens.`;
  }
  if (typeof tool.description !== "string" || tool.description.trim() === "") {
    return `Tool ${tool.id} has no description; the model needs one to decide whether to call it.`;
  }
  if (tool.parameters?.type !== "object") {
    return `Tool ${tool.id}: the root of its parameters must have type "object".`;
  }
  const bad = tool.aliases?.find((alias) => !isLegalName(alias.name));
  if (bad !== undefined) {
    return `Tool ${tool.id}: alias ${JSON.stringify(bad.name)} is not a legal name.`;
  }
  return undefined;
}

// An author without TypeScript may have left the name out, and "undefined" would be a legal one.
function isLegalName(name: unknown): boolean {
  return typeof name === "string" && legalId.test(name);
}
