import type { JsonSchema } from "@haft/contract";
import { Problem } from "../problem.ts";
import { createInputValidator } from "./input-validator.ts";
import { isSafePattern } from "./schema-pattern.ts";

/** A schema written out as JSON can't be longer. */
const mostSchemaCharacters = 200_000;

const deepest = 64;

/**
 * Checks a tool's input schema, which `where` tells the place of. Throws a `Problem` 400 that says
 * what to mend.
 */
export function checkInputSchema(schema: unknown, where: string): JsonSchema {
  const refuse = (why: string): never => {
    throw new Problem(400, `${where}: ${why}`);
  };
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return refuse(
      'it has to be a JSON Schema, an object such as {"type": "object", "properties": {}}.',
    );
  }
  const known = schema as JsonSchema;
  if (JSON.stringify(known).length > mostSchemaCharacters) {
    return refuse(`it is longer than ${mostSchemaCharacters} characters. Make it shorter.`);
  }
  if (known.type !== "object") {
    return refuse('its root has to say "type": "object", because a tool takes named parameters.');
  }
  walk(known, { depth: 0, refuse });
  try {
    createInputValidator(known);
  } catch (error) {
    const reason = (error as Error).message
      .replace(/^schema is invalid: data\/?/u, "")
      .slice(0, 500);
    return refuse(`it is no JSON Schema of draft 2020-12: ${reason}. Mend that.`);
  }
  return known;
}

interface Walk {
  readonly depth: number;
  refuse(why: string): never;
}

/** Looks at what the compiler would not say clearly, or does not look at. */
function walk(value: unknown, { depth, refuse }: Walk): void {
  if (typeof value !== "object" || value === null) return;
  if (depth > deepest) refuse(`it is nested more than ${deepest} levels deep. Make it flatter.`);
  for (const [key, each] of Object.entries(value)) {
    if (key === "$schema" && typeof each === "string" && !/2020-12\/schema#?$/u.test(each)) {
      refuse('"$schema" names another draft than 2020-12. Take "$schema" out.');
    }
    if (/^\$(?:ref|dynamicRef)$/u.test(key) && typeof each === "string" && !each.startsWith("#")) {
      refuse(
        `"${key}": ${JSON.stringify(each.slice(0, 100))} leads out of the schema. Copy what it refers to into "$defs", and refer to "#/$defs/…".`,
      );
    }
    if (key === "pattern" && typeof each === "string") requireSafe(each, refuse);
    if (key === "patternProperties" && typeof each === "object" && each !== null) {
      for (const pattern of Object.keys(each)) requireSafe(pattern, refuse);
    }
    walk(each, { depth: depth + 1, refuse });
  }
}

function requireSafe(pattern: string, refuse: (why: string) => never): void {
  if (isSafePattern(pattern)) return;
  refuse(
    `the pattern ${JSON.stringify(pattern.slice(0, 200))} can take for ever on some inputs. Repeat no group that itself repeats or chooses, and refer back to no group.`,
  );
}
