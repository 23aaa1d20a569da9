import type { FromSchema } from "./from-schema.ts";
import type { ObjectSchema } from "./json-schema.ts";
import { findRequirementFault } from "./requirements/find-requirement-fault.ts";
import type { Tool } from "./tool.ts";

/** A tool as its author writes it. The default of `source` is `module`. */
export type ToolDefinition<Schema extends ObjectSchema, Data> = Omit<
  Tool<FromSchema<Schema>, Data>,
  "parameters" | "source"
> & { readonly parameters: Schema; readonly source?: Tool["source"] };

/**
 * Declares a tool and checks the declaration. The types of its arguments are inferred from its JSON
 * Schema.
 *
 * @example
 * ```ts
 * import { defineTool } from "@haft/contract";
 *
 * export const greet = defineTool({
 *   id: "greet",
 *   description: "Greets a person by name.",
 *   parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
 *   requires: {},
 *   kind: "other",
 *   execute: async ({ name }) => ({ greeting: `Hello ${name}` }),
 * });
 * ```
 */
export function defineTool<const Schema extends ObjectSchema, Data>(
  definition: ToolDefinition<Schema, Data>,
): Tool<FromSchema<Schema>, Data> {
  const complaint = findDefinitionFault(definition);
  if (complaint !== undefined) throw new TypeError(complaint);
  return { source: "module", ...definition };
}

const validId = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** The parts of a tool that are checked when it is declared or registered. */
type Declaration = Pick<Tool, "id" | "description" | "parameters" | "requires"> & {
  readonly aliases?: readonly { readonly name: string }[];
  readonly execute: unknown;
};

/** Returns what is wrong with a tool's declaration as a sentence, or `undefined` if it is valid. */
export function findDefinitionFault(tool: Declaration): string | undefined {
  if (!isValidName(tool.id)) {
    return `Tool id ${JSON.stringify(tool.id)} is not valid. Use a letter or underscore, then up to 63 letters, digits, underscores or hyphens.`;
  }
  if (typeof tool.description !== "string" || tool.description.trim() === "") {
    return `Tool ${tool.id} has no description; the model needs one to decide whether to call it.`;
  }
  if (tool.parameters?.type !== "object") {
    return `Tool ${tool.id}: the root of its parameters must have type "object".`;
  }
  const bad = tool.aliases?.find((alias) => !isValidName(alias.name));
  if (bad !== undefined) {
    return `Tool ${tool.id}: alias ${JSON.stringify(bad.name)} is not a valid name.`;
  }
  const fault = findRequirementFault(tool.requires);
  if (fault !== undefined) return `Tool ${tool.id}: ${fault}`;
  if (typeof tool.execute !== "function") return `Tool ${tool.id} has no function execute.`;
  return undefined;
}

// Without TypeScript the name may be missing, and the text "undefined" would be a valid name.
function isValidName(name: unknown): boolean {
  return typeof name === "string" && validId.test(name);
}
