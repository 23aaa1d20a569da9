import type { JsonSchema } from "@haft/contract";

/** The parameter that names a file. */
export const filePath: JsonSchema = {
  type: "string",
  minLength: 1,
  description: "The file: absolute, or relative to the workspace root.",
};
