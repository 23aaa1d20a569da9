import type { JsonSchema, JsonValue } from "@haft/contract";
import { clipText, isPlainObject } from "@haft/contract/internal";

const maxLength = 16_000;
const maxDepth = 8;
const maxReferences = 32;
const maxComment = 160;
const maxNamePart = 40;

/** Gives object types names, so that a message about one of them can be traced to its tool. */
export interface TypeNaming {
  /** The name of the whole. Types inside it have longer ones. */
  readonly name: string;
  /** Whether a program only reads values of the type. Then it may read what any variant has. */
  readonly isRead: boolean;
  /** Declares a type and returns its name. */
  declare(type: { name: string; body: string; properties: readonly string[] }): string;
}

/** Where a schema is rendered. */
interface TypeScope {
  readonly root: JsonSchema;
  readonly indent: string;
  readonly depth: number;
  readonly budget: { length: number; references: number };
  readonly naming: TypeNaming | undefined;
}

/**
 * Renders a JSON Schema as a TypeScript type. Schemas come from strangers: what is too deep, too long or
 * not expressible becomes `any`, so the type never refuses what the schema allows.
 */
export function toTypeText(schema: unknown, naming?: TypeNaming): string {
  if (!isPlainObject(schema)) return "any";
  const budget = { length: maxLength, references: maxReferences };
  return render(schema, { root: schema, indent: "", depth: 0, budget, naming });
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
    if (schema.properties !== undefined) return "any";
    const merged = scope.naming?.isRead ? mergeObjects(choices, scope) : undefined;
    return join((merged ?? choices).map((one) => render(one, scope)));
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
  const { naming } = scope;
  const indent = `${scope.indent}  `;
  const lines = entries.map(([name, property]) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    const isIdentifier = /^[A-Za-z_$][\w$]*$/u.test(name);
    const key = isIdentifier && naming === undefined ? name : toLiteral(name);
    const part = name.slice(0, maxNamePart).replace(/\W/gu, "_");
    const inner = naming && { ...naming, name: `${naming.name}_${part}` };
    // Every object has a `constructor`, so a program that leaves it out would have one of a wrong type.
    const isInherited = naming !== undefined && name in Object.prototype;
    const type = isInherited ? "any" : render(property, { ...scope, indent, naming: inner });
    const comment = naming === undefined ? toComment(property) : "";
    return `${indent}${key}${isRequired ? "" : "?"}: ${type};${comment}`;
  });
  if (more) lines.push(`${indent}[key: string]: any;`);
  const body = `{\n${lines.join("\n")}\n${scope.indent}}`;
  if (naming === undefined) return body;
  scope.budget.length -= body.length;
  return naming.declare({ name: naming.name, body, properties: entries.map(([name]) => name) });
}

/** Merges the choices that are objects into one, with the properties of each. */
function mergeObjects(choices: readonly unknown[], scope: TypeScope): readonly unknown[] {
  const found = choices
    .slice(0, maxValues)
    .map((choice) =>
      isPlainObject(choice) && typeof choice.$ref === "string"
        ? lookUp(choice.$ref, scope.root)
        : choice,
    );
  const objects = found.filter(
    (choice) => isPlainObject(choice) && isPlainObject(choice.properties),
  ) as JsonSchema[];
  if (objects.length < 2 || choices.length > maxValues) return choices;
  const others = found.filter((choice) => !(objects as unknown[]).includes(choice));
  const properties: Record<string, JsonSchema> = Object.create(null);
  for (const object of objects) {
    for (const [name, property] of Object.entries(object.properties ?? {}) as [
      string,
      JsonSchema,
    ][]) {
      const known = properties[name];
      const isSame = known === undefined || (isScalar(known) && known.type === property.type);
      properties[name] = isSame ? property : {};
    }
  }
  const isClosed = objects.every(({ additionalProperties }) => additionalProperties === false);
  const merged = { type: "object", properties: { ...properties }, additionalProperties: !isClosed };
  return [merged, ...others];
}

function isScalar({ type }: JsonSchema): boolean {
  return type === "string" || type === "number" || type === "integer" || type === "boolean";
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
  return budget.references < 0 ? "any" : render(lookUp(reference, root), scope);
}

function lookUp(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith("#")) return undefined;
  let found: unknown = root;
  for (const part of reference.slice(1).split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isPlainObject(found) || !Object.hasOwn(found, key)) return undefined;
    found = found[key];
  }
  return found;
}

const maxValues = 64;

function renderValues(values: readonly JsonValue[]): string {
  if (values.length === 0 || values.length > maxValues) return "any";
  return join(
    values.map((value) => {
      const isSimple = value === null || typeof value !== "object";
      return isSimple ? toLiteral(value) : "any";
    }),
  );
}

/** Writes a value of a stranger as a literal that it can't leave. */
export function toLiteral(value: JsonValue): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function join(types: readonly string[]): string {
  const different = [...new Set(types)];
  if (different.length === 0 || different.includes("any")) return "any";
  return different.join(" | ");
}
