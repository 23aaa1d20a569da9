import type { JsonSchema, JsonValue } from "@haft/contract";
import { clipText, isPlainObject } from "@haft/contract/internal";

const maxLength = 16_000;
const maxDepth = 8;
const maxReferences = 32;
const maxComment = 160;

/** Where a schema is rendered. */
interface TypeScope {
  readonly root: JsonSchema;
  readonly indent: string;
  readonly depth: number;
  readonly budget: { length: number; references: number };
}

/**
 * Renders a JSON Schema as a TypeScript type. Schemas come from strangers: what is too deep, too long or
 * not expressible becomes `any`, so the type never refuses what the schema allows.
 */
export function toTypeText(schema: unknown): string {
  if (!isPlainObject(schema)) return "any";
  const budget = { length: maxLength, references: maxReferences };
  return render(schema, { root: schema, indent: "", depth: 0, budget });
}

function render(schema: unknown, scope: TypeScope): string {
  const { budget, depth } = scope;
  if (!isPlainObject(schema) || depth > maxDepth || budget.length <= 0) return "any";
  const text = renderKnown(schema as JsonSchema, { ...scope, depth: depth + 1 });
  budget.length -= text.length;
  return budget.length <= 0 ? "any" : text;
}

function renderKnown(schema: JsonSchema, scope: TypeScope): string {
  if (typeof schema.$ref === "string") return renderReference(schema.$ref, scope);
  if (schema.const !== undefined) return renderValues([schema.const]);
  if (Array.isArray(schema.enum)) return renderValues(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    // Properties beside the choices belong to each of them, which a union can't say exactly.
    return schema.properties === undefined ? join(choices.map((one) => render(one, scope))) : "any";
  }
  if (schema.allOf !== undefined || schema.not !== undefined) return "any";
  const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return join(types.map((type) => renderType(type, schema, scope)));
}

function renderType(type: unknown, schema: JsonSchema, scope: TypeScope): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return schema.prefixItems === undefined
        ? `Array<${render(schema.items ?? {}, scope)}>`
        : "Array<any>";
    case "object":
      return renderObject(schema, scope);
    default:
      return schema.properties === undefined ? "any" : renderObject(schema, scope);
  }
}

function renderObject(schema: JsonSchema, scope: TypeScope): string {
  const { properties, required = [], additionalProperties = true } = schema;
  const more = additionalProperties !== false || schema.patternProperties !== undefined;
  const entries = isPlainObject(properties) ? Object.entries(properties) : [];
  if (entries.length === 0) return more ? "{ [key: string]: any }" : "{}";
  const indent = `${scope.indent}  `;
  const lines = entries.map(([name, property]) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    const key = /^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name);
    const type = render(property, { ...scope, indent });
    return `${indent}${key}${isRequired ? "" : "?"}: ${type};${toComment(property)}`;
  });
  if (more) lines.push(`${indent}[key: string]: any;`);
  return `{\n${lines.join("\n")}\n${scope.indent}}`;
}

function toComment(property: unknown): string {
  const description = isPlainObject(property) ? property.description : undefined;
  if (typeof description !== "string" || description === "") return "";
  return ` // ${clipText(toLine(description), maxComment)}`;
}

/** Puts a text of a stranger on one line, so that it can't leave a comment. */
export function toLine(text: string): string {
  return text
    .replace(/[\s\u2028\u2029]+/gu, " ")
    .replaceAll("*/", "* /")
    .trim();
}

function renderReference(reference: string, scope: TypeScope): string {
  const { budget, root } = scope;
  budget.references -= 1;
  if (budget.references < 0 || !reference.startsWith("#")) return "any";
  let found: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isPlainObject(found) || !Object.hasOwn(found, key)) return "any";
    found = found[key];
  }
  return render(found, scope);
}

const maxValues = 64;

function renderValues(values: readonly JsonValue[]): string {
  if (values.length === 0 || values.length > maxValues) return "any";
  return join(
    values.map((value) => {
      const isSimple = value === null || typeof value !== "object";
      return isSimple ? JSON.stringify(value) : "any";
    }),
  );
}

function join(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.length === 0 || different.includes("any")) return "any";
  return different.join(" | ");
}
