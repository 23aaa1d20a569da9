import type { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import type { JsonSchema } from "../json-schema.ts";

/** Returns what is wrong with a value, or `undefined` if it fits the schema. */
export type FindMisfit = (value: unknown) => string | undefined;

/** Compiles a schema into a check. Throws if it is not a valid schema of draft 2020-12. */
export type SchemaCompiler = (schema: JsonSchema) => FindMisfit;

/** Loads Ajv, an optional peer dependency that only tests of tools need. */
export function loadSchemaCompiler(load?: LoadAjv): Promise<SchemaCompiler> {
  if (load !== undefined) return createSchemaCompiler(load);
  // Shared, because creating an instance costs more than compiling most schemas.
  shared ??= createSchemaCompiler(() => import("ajv/dist/2020.js"));
  return shared;
}

type LoadAjv = () => Promise<{ Ajv2020: typeof Ajv }>;

let shared: Promise<SchemaCompiler> | undefined;

async function createSchemaCompiler(load: LoadAjv): Promise<SchemaCompiler> {
  const { Ajv2020 } = await load().catch((cause: unknown) => {
    throw new Error(
      "Ajv is needed to check the tool contract, but it is not installed. Run: npm install --save-dev ajv@8",
      { cause },
    );
  });
  // Not strict: unknown keywords and formats are legal in JSON Schema.
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    validateFormats: false,
    addUsedSchema: false,
  });
  return (schema) => {
    const validate = ajv.compile(schema);
    return (value) => (validate(value) === true ? undefined : ajv.errorsText(validate.errors));
  };
}
