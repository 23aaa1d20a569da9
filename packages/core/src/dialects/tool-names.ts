import { type JsonSchema, type Tool, ToolError } from "@haft/contract";
import { isPlainObject, withoutRemedy } from "@haft/contract/internal";
import type { Dialect } from "./dialect.ts";
import { nativeIds } from "./native-ids.ts";

/** The native tools that a model has, with their names in its dialect, in backticks. */
export type ToolNames = ReadonlyMap<string, string>;

/** Returns the names of the tools that a dialect gives a model. `included` are shown even without an alias. */
export function collectToolNames(
  tools: Iterable<Tool>,
  dialect: Dialect,
  included?: ReadonlySet<string>,
): ToolNames {
  const names = new Map<string, string>();
  for (const { id } of tools) {
    if (!nativeIds.has(id)) continue;
    if (isShownNatively(id, dialect, included)) names.set(id, `\`${id}\``);
    else {
      const known = dialect.aliases.find((alias) => alias.tool === id && isKnown(alias));
      if (known !== undefined) names.set(id, known.mention ?? `\`${known.name}\``);
    }
  }
  return names;
}

/**
 * Tells whether a built-in tool is shown under its own ID: if the dialect shows native tools, or if the
 * mode names the tool and the dialect's aliases do not cover it.
 */
export function isShownNatively(
  id: string,
  { aliases, native }: Dialect,
  included?: ReadonlySet<string>,
): boolean {
  const own = aliases.filter((alias) => alias.tool === id && isKnown(alias));
  if (included?.has(id)) return own.every(({ isPartial }) => isPartial);
  return native === "shown" && own.length === 0;
}

function isKnown({ hidden, mention }: Dialect["aliases"][number]): boolean {
  return !hidden || mention !== undefined;
}

/**
 * Rewrites a text of Haft's own for a model: native IDs in backticks become the names of its dialect,
 * and sentences about tools that it does not have are left out.
 */
export function nameTools(text: string, names: ToolNames): string {
  if (!text.includes("`")) return text;
  const sentences = text.split(afterSentence);
  const kept = sentences.filter((sentence) =>
    Array.from(sentence.matchAll(mention)).every(
      ([, id = ""]) => !nativeIds.has(id) || names.has(id),
    ),
  );
  const named = kept.join("").replaceAll(mention, (as, id) => names.get(id) ?? as);
  return kept.length === sentences.length ? named : named.trimEnd();
}

const mention = /`([a-z]+(?:_[a-z]+)*)`/gu;
const afterSentence = /(?<=\n|[.!?] )/u;

/** The same for all descriptions in a schema. */
export function nameToolsInSchema<Schema extends JsonSchema>(
  schema: Schema,
  names: ToolNames,
): Schema {
  let known = rewritten.get(names);
  if (known === undefined) {
    known = new WeakMap();
    rewritten.set(names, known);
  }
  const found = known.get(schema) ?? rewrite(schema, names);
  known.set(schema, found as object);
  return found as Schema;
}

// Every step shows the same schemas, and callers cache by identity.
const rewritten = new WeakMap<ToolNames, WeakMap<object, object>>();

function rewrite(value: unknown, names: ToolNames): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => rewrite(item, names));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    key === "description" && typeof member === "string"
      ? nameTools(member, names)
      : rewrite(member, names),
  ]);
  return entries.every(([key, member]) => member === value[key])
    ? value
    : Object.fromEntries(entries.filter(([key, member]) => key !== "description" || member !== ""));
}

// Most results name no tool, so the names are collected only if one does.
interface NameSource {
  toolNames(): ToolNames;
}

/** The same for the remedy of an error. */
export function nameToolsInError(error: ToolError, { toolNames }: NameSource): ToolError {
  const { code, remedy, cause, absolutePath, partial, details } = error;
  if (remedy === undefined) return error;
  const named = nameTools(remedy, toolNames());
  if (named === remedy) return error;
  return new ToolError(code, withoutRemedy(error), {
    cause,
    details,
    ...(named !== "" && { remedy: named }),
    ...(absolutePath !== undefined && { absolutePath }),
    ...(partial !== undefined && { partial }),
  });
}

/** The same for the `advice` in a tool's data. */
export function nameToolsInData(data: unknown, { toolNames }: NameSource): unknown {
  if (!isPlainObject(data) || typeof data.advice !== "string") return data;
  const advice = nameTools(data.advice, toolNames());
  if (advice === data.advice) return data;
  const { advice: _native, ...rest } = data;
  return advice === "" ? rest : { ...rest, advice };
}
