import type { JsonSchema } from "@haft/contract";
import { clipText, isPlainObject } from "@haft/contract/internal";
import { compilePattern, type LinearPattern } from "../pattern/compile-pattern.ts";
import { arrayKeywords } from "./array-keywords.ts";
import { combinationKeywords } from "./combination-keywords.ts";
import type { Keyword, KeywordUse, SchemaFormats } from "./keyword.ts";
import { objectKeywords } from "./object-keywords.ts";
import { requireBoundedEffort } from "./schema-effort.ts";
import { createNode, type SchemaNode, stepsPerCheck, valueKinds } from "./schema-node.ts";
import { valueKeywords } from "./value-keywords.ts";

const maxDepth = 128;
const maxSchemas = 50_000;
/** All patterns of a schema together. */
const maxPatternSteps = 100_000;

const { type, const: constant, enum: choices, ...ofNumbersAndTexts } = valueKeywords;
// In the order in which they are tried.
const keywords = new Map<string, Keyword>(
  Object.entries({
    ...{ type, const: constant, enum: choices },
    ...combinationKeywords,
    ...ofNumbersAndTexts,
    ...arrayKeywords,
    ...objectKeywords,
  } as Record<string, Keyword>),
);

const definitions = ["$defs", "definitions"] as const;

/** A schema with an address of its own, to which references inside it are relative. */
interface Resource {
  readonly root: JsonSchema | boolean;
  readonly anchors: Map<string, JsonSchema>;
}

interface SchemaContext {
  readonly pointer: string;
  readonly depth: number;
  readonly resource: Resource;
}

/** All parts of one schema, compiled. */
export class SchemaDocument {
  readonly root: SchemaNode;
  readonly #formats: SchemaFormats;
  readonly #nodes = new Map<unknown, SchemaNode>();
  readonly #patterns = new Map<string, LinearPattern>();
  readonly #resources = new Map<string, Resource>();
  /** References that were met and not followed yet. */
  readonly #references: (() => void)[] = [];
  #patternSteps = 0;

  constructor(schema: JsonSchema, formats: SchemaFormats) {
    this.#formats = formats;
    const resource: Resource = { root: schema, anchors: new Map() };
    this.root = this.#compile(schema, { pointer: "#", depth: 0, resource });
    // Following one may bring others.
    for (const follow of this.#references) follow();
    requireBoundedEffort(this.root);
  }

  /** The node of a part of the schema. */
  find(part: JsonSchema): SchemaNode | undefined {
    return this.#nodes.get(part);
  }

  #compile(schema: unknown, context: SchemaContext): SchemaNode {
    if (typeof schema === "boolean") return createBooleanNode(schema, context.pointer);
    if (!isPlainObject(schema)) throw refusal(context.pointer, "must be an object or a boolean");
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    if (context.depth > maxDepth) {
      throw refusal(context.pointer, `is nested more than ${maxDepth} schemas deep`);
    }
    const node = createNode(schema as JsonSchema, context.pointer);
    this.#nodes.set(schema, node);
    if (this.#nodes.size > maxSchemas) {
      throw refusal(context.pointer, `is one schema more than the ${maxSchemas} there may be`);
    }
    const resource = this.#enter(schema as JsonSchema, context);
    for (const [name, keyword] of keywordsOf(schema)) {
      this.#build(node, { ...context, resource }, { name, keyword, value: schema[name] });
    }
    for (const name of definitions)
      this.#compileDefinitions(schema[name], name, { ...context, resource });
    return node;
  }

  #build(
    node: SchemaNode,
    context: SchemaContext,
    {
      name,
      keyword,
      value,
    }: { readonly name: string; readonly keyword: Keyword; readonly value: unknown },
  ): void {
    const pointer = `${context.pointer}/${name}`;
    const refuse = (why: string): never => {
      throw refusal(pointer, why);
    };
    const use: KeywordUse = {
      keyword: name,
      value,
      schema: node.schema,
      node,
      pointer,
      formats: this.#formats,
      refuse,
      compile: (part, role, ...steps) => {
        const path = [context.pointer, ...steps.map(toStep)].join("/");
        const inner = this.#compile(part, { ...context, pointer: path, depth: context.depth + 1 });
        node[role].push(inner);
        return inner;
      },
      compilePattern: (source) => this.#compilePattern(source, refuse),
      refer: (reference, bind) => {
        this.#references.push(() => {
          const target = this.#resolve(reference, { ...context, pointer });
          node.inPlace.push(target);
          bind(target);
        });
      },
    };
    const check = keyword.build(use);
    if (check === undefined) return;
    node.hasChecks = true;
    node.cost += stepsPerCheck;
    if (keyword.kind === "unevaluated") node.unevaluated.push(check);
    else {
      const kinds = keyword.kind === "any" ? valueKinds : [keyword.kind];
      for (const kind of kinds) node.checks[kind].push(check);
    }
  }

  #compileDefinitions(value: unknown, name: string, context: SchemaContext): void {
    if (value === undefined) return;
    const pointer = `${context.pointer}/${name}`;
    if (!isPlainObject(value)) throw refusal(pointer, "must be an object");
    for (const [each, part] of Object.entries(value)) {
      const path = `${pointer}/${toStep(each)}`;
      this.#compile(part, { ...context, pointer: path, depth: context.depth + 1 });
    }
  }

  /** Notes the names by which a schema can be referred to. */
  #enter(schema: JsonSchema, { resource, pointer }: SchemaContext): Resource {
    const { $id, $anchor, $dynamicAnchor } = schema;
    let own = resource;
    if (typeof $id === "string" && resource.root !== schema) {
      own = { root: schema, anchors: new Map() };
    }
    if (typeof $id === "string") {
      const address = $id.replace(/#$/u, "");
      if (this.#resources.has(address)) throw refusal(`${pointer}/$id`, "is there already");
      this.#resources.set(address, own);
    }
    for (const name of [$anchor, $dynamicAnchor]) {
      if (typeof name !== "string" || own.anchors.get(name) === schema) continue;
      if (own.anchors.has(name)) throw refusal(`${pointer}/$anchor`, "is there already");
      own.anchors.set(name, schema);
    }
    return own;
  }

  #resolve(reference: string, context: SchemaContext): SchemaNode {
    const [address = "", fragment = ""] = reference.split("#", 2);
    const resource = address === "" ? context.resource : this.#resources.get(address);
    if (context.pointer.endsWith("/$dynamicRef") && this.#resources.size > 1) {
      throw refusal(context.pointer, 'is not supported beside a "$id" inside the schema');
    }
    const target =
      resource === undefined || fragment === "" || fragment.startsWith("/")
        ? followPointer(resource?.root, fragment)
        : resource.anchors.get(decode(fragment));
    if (target === undefined) {
      throw refusal(context.pointer, `can't resolve reference ${reference.slice(0, 200)}`);
    }
    const pointer = `#${fragment.startsWith("/") ? fragment : `/${fragment}`}`;
    return this.#compile(target, { pointer, depth: 0, resource: resource ?? context.resource });
  }

  #compilePattern(source: string, refuse: (why: string) => never): LinearPattern {
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const shown = JSON.stringify(source.slice(0, 200));
    try {
      const pattern = compilePattern(source);
      this.#patternSteps += pattern.steps;
      if (this.#patternSteps > maxPatternSteps) {
        throw new Error(`all patterns of the schema make more than ${maxPatternSteps} steps`);
      }
      this.#patterns.set(source, pattern);
      return pattern;
    } catch (error) {
      return refuse(`can't use the pattern ${shown}: ${(error as Error).message}`);
    }
  }
}

/** The keywords of a schema, in the order in which they are tried. */
function keywordsOf(schema: Readonly<Record<string, unknown>>): readonly [string, Keyword][] {
  const used = Object.keys(schema).filter(
    (name) => keywords.has(name) && schema[name] !== undefined,
  );
  return used
    .map((name) => [name, keywords.get(name) as Keyword] as [string, Keyword])
    .sort(([one], [other]) => (order.get(one) as number) - (order.get(other) as number));
}

const order = new Map([...keywords.keys()].map((name, index) => [name, index]));

function createBooleanNode(isTrue: boolean, pointer: string): SchemaNode {
  const node = createNode({}, pointer);
  if (isTrue) return node;
  const violation = { schema: {}, keyword: "false schema" };
  node.types = 0;
  node.failType = (run) => run.fail(violation, "boolean schema is false");
  return node;
}

function followPointer(root: unknown, pointer: string): unknown {
  let found = root;
  for (const step of pointer.split("/").slice(1)) {
    const name = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
      return undefined;
    }
    found = (found as Readonly<Record<string, unknown>>)[name];
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

function toStep(step: string | number): string {
  // For people to read: names as long as a schema would be kept once for each part below them.
  const shown = typeof step === "string" ? step.slice(0, maxStepLength) : String(step);
  return shown.replaceAll("~", "~0").replaceAll("/", "~1");
}

function refusal(pointer: string, why: string): Error {
  return new Error(`${clipText(pointer, maxShown)} ${why}`);
}

const maxShown = 300;
const maxStepLength = 100;
