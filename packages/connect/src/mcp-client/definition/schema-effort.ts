import { listsOfSchemas, schemaMaps, schemas } from "./schema-keywords.ts";

type Schema = Readonly<Record<string, unknown>>;

/**
 * How many schemas are tried on one value at most, where references lead back to none that is being
 * tried already. A few references to references make this grow beyond all measure.
 */
export function countEffort(root: Schema): number {
  const known = new Map<Schema, number>();
  const open = new Set<Schema>();
  const count = (schema: unknown): number => {
    if (!isRecord(schema) || open.has(schema)) return 1;
    const before = known.get(schema);
    if (before !== undefined) return before;
    open.add(schema);
    let effort = 1;
    for (const part of partsOf(schema, root)) effort += count(part);
    open.delete(schema);
    known.set(schema, effort);
    return effort;
  };
  return count(root);
}

function partsOf(schema: Schema, root: Schema): unknown[] {
  const referred = schema.$ref ?? schema.$dynamicRef;
  return [
    ...(typeof referred === "string" ? [follow(referred, root)] : []),
    ...[...schemas, "items"].map((name) => schema[name]),
    ...listsOfSchemas.flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : [])),
    // What is only defined is tried where something refers to it.
    ...[...schemaMaps, "patternProperties"]
      .filter((name) => name !== "$defs" && name !== "definitions")
      .flatMap((name) => (isRecord(schema[name]) ? Object.values(schema[name]) : [])),
  ];
}

function follow(reference: string, root: Schema): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let found: unknown = root;
  for (const step of reference.slice(2).split("/")) {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name))
      return undefined;
    found = (found as Schema)[name];
  }
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
