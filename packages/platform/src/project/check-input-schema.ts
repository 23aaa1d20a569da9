import type { JsonSchema } from "@haft/contract";
import { isNestedDeeper } from "@haft/core/internal";
import { Problem } from "../problem.ts";
import { toShownName } from "../shown-name.ts";
import { compileInputSchema } from "./input-validator.ts";

/** Maximum length of a schema as JSON. */
const maxSchemaCharacters = 200_000;

const maxDepth = 64;

/**
 * Checks a tool's input schema. `where` names it in errors. Throws a `Problem` 400 that says what is
 * wrong and what to do.
 */
export function checkInputSchema(schema: unknown, where: string): JsonSchema {
  const known = requireSchema(schema, where);
  if (known.type !== "object") {
    return refuseAt(where)(
      'its root has to say "type": "object", because a tool takes named parameters.',
    );
  }
  return requireCompiling(known, where);
}

/** Checks a tool's output schema. Throws a `Problem` 400 like `checkInputSchema`. */
export function checkOutputSchema(schema: unknown, where: string): JsonSchema {
  return requireCompiling(requireSchema(schema, where), where);
}

function requireSchema(schema: unknown, where: string): JsonSchema {
  const refuse = refuseAt(where);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return refuse(
      'it has to be a JSON Schema, an object such as {"type": "object", "properties": {}}.',
    );
  }
  const known = schema as JsonSchema;
  if (isNestedDeeper(known, maxDepth)) {
    return refuse(`it is nested more than ${maxDepth} levels deep. Make it flatter.`);
  }
  if (JSON.stringify(known).length > maxSchemaCharacters) {
    return refuse(`it is longer than ${maxSchemaCharacters} characters. Make it shorter.`);
  }
  return known;
}

function requireCompiling(schema: JsonSchema, where: string): JsonSchema {
  const refuse = refuseAt(where);
  walk(schema, refuse);
  try {
    compileInputSchema(schema);
  } catch (error) {
    return refuse(`it can't be compiled: ${(error as Error).message}. Change that part.`);
  }
  return schema;
}

function refuseAt(where: string): (why: string) => never {
  return (why) => {
    throw new Problem(400, `${where}: ${why}`);
  };
}

/** Checks what the compiler ignores or reports less clearly. */
function walk(value: object, refuse: (why: string) => never): void {
  for (const [key, each] of Object.entries(value)) {
    if (key === "$schema" && typeof each === "string" && !/2020-12\/schema#?$/u.test(each)) {
      refuse('"$schema" names a draft other than 2020-12. Remove "$schema".');
    }
    if (/^\$(?:ref|dynamicRef)$/u.test(key) && typeof each === "string" && !each.startsWith("#")) {
      refuse(
        `"${key}": ${toShownName(each, 100)} refers to something outside the schema. Copy it into "$defs" and refer to "#/$defs/…".`,
      );
    }
    if (typeof each === "object" && each !== null) walk(each, refuse);
  }
}
