import type { JsonSchema } from "@haft/contract";
import type { Tool } from "@modelcontextprotocol/server";

/**
 * Returns the schema of a tool's structured content: its data and the extra fields. Returns
 * `undefined` if the root is not a simple object schema; the tool then has no output schema.
 */
export function toOutputSchema(schema: JsonSchema | undefined): Tool["outputSchema"] {
  if (schema?.type !== "object" || !Object.keys(schema).every((key) => plain.has(key))) {
    return undefined;
  }
  const { required, ...rest } = schema;
  return {
    ...rest,
    type: "object",
    properties: { ...extraFields, ...schema.properties } as Record<string, object>,
    // Data that is cut as a whole consists only of its head.
    ...(required !== undefined &&
      required.length > 0 && { anyOf: [{ required: [...required] }, { required: ["head"] }] }),
  };
}

// Fields that are added to a tool's own data when they apply.
const extraFields: Readonly<Record<string, JsonSchema>> = {
  truncated: { type: "boolean", description: "Whether the output was cut." },
  output_path: {
    type: "string",
    description: "Path of the file with the output as far as it was kept.",
  },
  changed_files: { type: "array", items: { type: "string" } },
  warnings: { type: "array", items: { type: "string" } },
  notices: {
    type: "array",
    items: { type: "string" },
    description: "News that is not about this call, such as a job that has ended.",
  },
  head: {
    type: "string",
    description: "The beginning of the data, if it is too long to be returned.",
  },
};

const plain: ReadonlySet<string> = new Set([
  "$schema",
  "$defs",
  "type",
  "title",
  "description",
  "properties",
  "required",
  "additionalProperties",
]);
