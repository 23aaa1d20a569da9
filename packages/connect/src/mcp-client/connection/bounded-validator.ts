import type { JsonSchema } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { compileSchema } from "@haft/core/internal";
import type { JsonSchemaValidator, jsonSchemaValidator } from "@modelcontextprotocol/client";

/** Validates a server's results against its own schema, in time linear in the size of the result. */
export const boundedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: unknown): JsonSchemaValidator<T> {
    const compiled = compileSchema(schema as JsonSchema);
    return (input) => {
      try {
        if (compiled.accepts(input))
          return { valid: true, data: input as T, errorMessage: undefined };
        const [first] = compiled.explain(input);
        const field = first?.path.join(".") || "it";
        return refuse(`${field} ${first?.message ?? "does not match the schema"}`);
      } catch (error) {
        return refuse(toErrorMessage(error));
      }
    };
  },
};

function refuse(errorMessage: string): {
  readonly valid: false;
  readonly data: undefined;
  readonly errorMessage: string;
} {
  return { valid: false, data: undefined, errorMessage };
}
