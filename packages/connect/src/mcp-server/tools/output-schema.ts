import type { JsonSchema } from "@haft/contract";
import type { Tool } from "@modelcontextprotocol/server";

/**
 * The schema of a tool's structured content: that of its data, with the extra fields. `undefined`
 * where the root is no object, or has more to it than properties: then nothing is promised.
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
    // Data that is cut as a whole has nothing but its head.
    ...(required !== undefined &&
      required.length > 0 && { anyOf: [{ required: [...required] }, { required: ["head"] }] }),
  };
}

// What stands beside a tool's own data, where there is something to say.
const extraFields: Readonly<Record<string, JsonSchema>> = {
  truncated: { type: "boolean", description: "This is a part of the output." },
  output_path: { type: "string", description: "Where the whole output is; read opens it." },
  changed_files: { type: "array", items: { type: "string" } },
  warnings: { type: "array", items: { type: "string" } },
  head: { type: "string", description: "The first part, of data too long to be shown otherwise." },
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
