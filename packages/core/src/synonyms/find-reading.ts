import type { JsonSchema, Tool } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { completeAlias } from "../dialects/complete-alias.ts";
import type { DialectAlias } from "../dialects/dialect.ts";
import type { Given } from "../dialects/shared/given.ts";
import type { CallContext } from "../path/context.ts";
import { repair } from "../schema/repair.ts";
import { fits } from "../schema/schema-check.ts";
import { reshape } from "./reshape.ts";
import { findField, isIdle, toolsNamed } from "./synonyms.ts";

/** A call in the words of a tool of the session. */
export interface Reading {
  readonly tool: Tool;
  /** The dialect's alias in whose terms the arguments are, if there is one. */
  readonly alias: DialectAlias | undefined;
  readonly args: Given;
  /** What was read as what, for the result. */
  readonly note: string;
}

/** The name and arguments of a call, and the tool that has this name, if there is one. */
export interface SentCall {
  readonly name: string;
  readonly args: unknown;
  readonly tool?: Tool | undefined;
}

/**
 * Reads a call that no tool takes as it is, in the words that other families of agents use. Returns the
 * tools that may be meant, and the reading if the arguments fit exactly one of them.
 */
export function findReading(
  { name, args, tool }: SentCall,
  context: CallContext,
): { readonly meant: readonly Tool[]; readonly reading?: Reading } {
  const snapshot = context.snapshot();
  const ids = new Set([...(tool === undefined ? [] : [tool.id]), ...toolsNamed(name)]);
  const meant = [...ids]
    .map((id) => snapshot.get(id))
    .filter((found) => found?.source === "builtin") as Tool[];
  if (!isPlainObject(args)) return { meant };
  const readings = meant.flatMap((each) => readFor(each, { name, args }, context) ?? []);
  const [reading] = readings;
  return reading === undefined || readings.length > 1 ? { meant } : { meant, reading };
}

/** Reads a call as one of a tool: in the terms of the dialect if they fit, else in the tool's own. */
function readFor(
  tool: Tool,
  { name, args }: { readonly name: string; readonly args: Given },
  { dialect }: CallContext,
): Reading | undefined {
  const aliases = dialect.aliases.filter((alias) => alias.tool === tool.id && !alias.hidden);
  for (const alias of [...aliases.map((each) => completeAlias(each, tool)), undefined]) {
    const schema = alias?.parameters ?? tool.parameters;
    const renamed = rename(tool.id, schema, reshape[tool.id]?.(args) ?? args);
    if (renamed === undefined) continue;
    const { value } = repair(schema, renamed.args);
    if (!fits(schema, value) || alias?.suits?.(value as Given) === false) continue;
    const shown = alias?.name ?? tool.id;
    const read = [...(shown === name ? [] : [`${name} as ${shown}`]), ...renamed.read];
    const parts = [
      ...(read.length === 0 ? [] : [`read ${read.join(", ")}`]),
      ...(renamed.ignored.length === 0 ? [] : [`ignored ${renamed.ignored.join(", ")}`]),
    ];
    return {
      tool,
      alias,
      args: value as Given,
      note: `The call was understood: ${parts.join("; ")}.`,
    };
  }
  return undefined;
}

interface Renamed {
  readonly args: Given;
  readonly read: readonly string[];
  readonly ignored: readonly string[];
}

/** Renames all fields to those of a schema, and leaves out idle ones. `undefined` if that leaves a doubt. */
function rename(tool: string, schema: JsonSchema, args: Given): Renamed | undefined {
  const fields = Object.keys(schema.properties ?? {});
  const renamed = new Map<string, unknown>();
  const [read, ignored]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(args)) {
    const isOwn = fields.includes(name);
    if (!isOwn && isIdle(tool, name, value) && !isExpected(name, args)) {
      ignored.push(name);
      continue;
    }
    const field = isOwn ? name : findField(tool, name, fields);
    if (field === undefined || (renamed.has(field) && renamed.get(field) !== value)) {
      return undefined;
    }
    if (field !== name) read.push(`${name} as ${field}`);
    renamed.set(field, renameItems(tool, schema.properties?.[field], value));
  }
  return { args: Object.fromEntries(renamed), read, ignored };
}

// "Exactly one" is what edit promises, unless it replaces all.
function isExpected(name: string, args: Given): boolean {
  return /^expected/u.test(name) && Object.values(args).includes(true);
}

/** Renames the fields of the objects in a list, such as those of `edits`. */
function renameItems(tool: string, schema: JsonSchema | undefined, value: unknown): unknown {
  const { items } = schema ?? {};
  if (!Array.isArray(value) || typeof items !== "object") return value;
  return value.map((item) =>
    isPlainObject(item) ? (rename(tool, items, item)?.args ?? item) : item,
  );
}
