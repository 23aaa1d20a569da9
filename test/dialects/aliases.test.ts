import {
  amp,
  claude,
  codex,
  createRegistry,
  type Dialect,
  type DialectAlias,
  gemini,
} from "@haft/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { allTools } from "./all-tools.ts";
import { openDialect } from "./open-dialect.ts";
import { samples } from "./samples.ts";

const dialects: ReadonlyMap<string, Dialect> = new Map(
  [amp, claude, codex, gemini].map((dialect) => [dialect.name, dialect]),
);
const registry = createRegistry(allTools);
const ajv = new Ajv2020({ strict: false });

/** The alias that a sample is for, as the table of names has it. */
function find(dialect: Dialect, name: string, args: Readonly<Record<string, unknown>>) {
  const candidates = registry.names(dialect).get(name) ?? [];
  const found = candidates.find(({ tool, alias }) => {
    const suits = (alias as DialectAlias | undefined)?.suits?.(args) ?? true;
    return suits && ajv.validate(alias?.parameters ?? tool.parameters, args);
  });
  if (found === undefined) throw new Error(`${dialect.name} does not take ${name}.`);
  return found;
}

describe("the aliases of all dialects", () => {
  it.each(samples)("in %s, %s %j is for %s and fits it", (...sample) => {
    const [dialectName, name, args, id] = sample;
    const { tool, alias } = find(dialects.get(dialectName) as Dialect, name, args);
    expect(tool.id).toBe(id);
    const native = alias?.toArguments?.(args) ?? args;
    expect(ajv.validate(tool.parameters, native) ? [] : ajv.errors).toEqual([]);
  });

  it.each([...dialects.keys()])("of %s each have a sample", (name) => {
    const dialect = dialects.get(name) as Dialect;
    const used = new Set(
      samples.flatMap(([dialectName, alias, args]) =>
        dialectName === name
          ? [(find(dialect, alias, args).alias as DialectAlias).toArguments ?? alias]
          : [],
      ),
    );
    const table = registry.names(dialect);
    for (const alias of dialect.aliases) {
      const known = table.get(alias.name)?.find((one) => one.tool.id === alias.tool)?.alias;
      expect([alias.name, used.has(known?.toArguments ?? alias.name)]).toEqual([alias.name, true]);
    }
  });

  it.each([...dialects.keys()])("of %s are resolved so in a session", async (name) => {
    const own = samples.filter(([dialectName]) => dialectName === name);
    const { session } = openDialect(dialects.get(name) as Dialect, [], allTools);
    const plan = await session.plan(
      own.map(([, alias, args]) => ({ name: alias, arguments: args as never })),
    );
    expect(plan.calls.map(({ tool }) => tool)).toEqual(own.map(([, , , id]) => id));
    const unfit = plan.calls.filter(({ error_text: text }) => text?.includes("do not fit"));
    expect(unfit).toEqual([]);
  });
});
