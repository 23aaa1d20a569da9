import type { JsonSchema } from "../json-schema.ts";
import type { Tool } from "../tool.ts";
import { loadSchemaCompiler } from "./schema-compiler.ts";
import type { ToolContractCheck } from "./tool-contract-check.ts";

/** Returns the checks of a tool's schemas. */
export function schemaChecks(tool: Tool): ToolContractCheck[] {
  const { output } = tool;
  const checks: ToolContractCheck[] = [
    {
      name: "has parameters with an object at the root",
      run: async () => requireObjectRoot(tool.parameters),
    },
    {
      name: "has parameters that compile under draft 2020-12",
      run: async () => {
        const compile = await loadSchemaCompiler();
        compile(tool.parameters);
      },
    },
    {
      name: "describes every parameter",
      run: async () => {
        const silent = Object.entries(propertiesOf(tool.parameters))
          .filter(([, property]) => !isDescribed(property))
          .map(([name]) => name);
        if (silent.length > 0) throw new Error(`No description: ${silent.join(", ")}.`);
      },
    },
    {
      name: "requires only parameters that it has",
      run: async () => {
        const properties = propertiesOf(tool.parameters);
        const missing = requiredOf(tool.parameters).filter(
          (name) => !Object.hasOwn(properties, name),
        );
        if (missing.length > 0) throw new Error(`Not among the properties: ${missing.join(", ")}.`);
      },
    },
  ];
  if (output === undefined) return checks;
  return [
    ...checks,
    {
      name: "has an output schema with an object at the root",
      run: async () => requireObjectRoot(output),
    },
    {
      name: "has an output schema that compiles under draft 2020-12",
      run: async () => {
        const compile = await loadSchemaCompiler();
        compile(output);
      },
    },
  ];
}

function requireObjectRoot(schema: JsonSchema | undefined): void {
  if (schema?.type !== "object") {
    throw new Error(`The root has type ${JSON.stringify(schema?.type)} instead of "object".`);
  }
}

// The tool may come from an author without types, so any value may have the wrong type.
function propertiesOf(schema: JsonSchema | undefined): Record<string, unknown> {
  const properties: unknown = schema?.properties;
  return typeof properties === "object" && properties !== null ? { ...properties } : {};
}

function requiredOf(schema: JsonSchema | undefined): string[] {
  const required: unknown = schema?.required;
  return Array.isArray(required) ? required : [];
}

function isDescribed(property: unknown): boolean {
  const description: unknown = (property as JsonSchema | undefined)?.description;
  return typeof description === "string" && description.trim() !== "";
}
