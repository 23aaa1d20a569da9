import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { toVisibleLine } from "@haft/core/internal";
import type { Tool, VariableChanges } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { splitPair } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { requireTool } from "./require-tool.ts";

/** `haft tool env`: lists, sets and unsets a tool's variables. Either all changes are made or none. */
export async function changeVariables(input: CommandInput, io: Io): Promise<number> {
  const [name = "", action = "list", ...words] = input.positionals;
  if (!["list", "set", "unset"].includes(action)) {
    throw new UsageError(
      `\`haft tool env NAME\` takes list, set or unset, not ${JSON.stringify(action)}.`,
    );
  }
  if (action === "list" && words.length > 0) {
    throw new UsageError(`list takes no variables, but got ${JSON.stringify(words[0])}.`);
  }
  if (action !== "list" && words.length === 0) {
    throw new UsageError(`No variable given: haft tool env NAME ${action} VARIABLE...`);
  }
  // Read before the platform is asked, so that a wrong value is reported at once.
  const values = action === "set" ? await readValues(words, io) : [];
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  if (action === "list") return list(tool, input, io);
  const isSecret = input.options.secret === true;
  const changes = action === "set" ? toSet(values, tool, isSecret) : toUnset(words);
  await client.tools.variables(tool.id, changes);
  printChanges({ id: tool.id, changes }, input, io);
  return 0;
}

function list(tool: Tool, input: CommandInput, io: Io): number {
  const { envvars, secret_envvars } = tool;
  if (input.options.json === true) printJson({ envvars, secret_envvars }, io);
  else {
    const lines = [...envvars, ...secret_envvars.map((one) => `${one} (secret)`)];
    io.out(lines.length === 0 ? `${tool.name} has no variables.\n` : toLines(lines));
  }
  return 0;
}

async function readValues(
  words: readonly string[],
  io: Io,
): Promise<(readonly [string, string])[]> {
  const values: (readonly [string, string])[] = [];
  for (const word of words) {
    const [name, value] = splitPair(word, "set");
    if (!/^[A-Z_]+$/u.test(name)) {
      throw new UsageError(
        `${JSON.stringify(name)} is not a valid variable name: use capital letters and _ only.`,
      );
    }
    values.push([name, value.startsWith("@") ? await readValue(value.slice(1), io) : value]);
  }
  return values;
}

async function readValue(source: string, io: Io): Promise<string> {
  // Files and terminal input end with a line break that is not part of the value.
  if (source === "-") return (await io.readInput()).replace(/\r?\n$/u, "");
  const path = resolve(io.directory, source);
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/u, "");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function toSet(
  values: readonly (readonly [string, string])[],
  tool: Tool,
  isSecret: boolean,
): VariableChanges {
  const isKnown = (name: string): boolean =>
    tool.envvars.includes(name) || tool.secret_envvars.includes(name);
  const plain = isSecret ? values.find(([name]) => tool.envvars.includes(name)) : undefined;
  if (plain !== undefined) {
    throw new UsageError(
      `${plain[0]} exists and is not a secret. Remove it first: haft tool env ${tool.name} unset ${plain[0]}`,
    );
  }
  return {
    inserts: values
      .filter(([name]) => !isKnown(name))
      .map(([name, value]) => ({ name, value, is_secret: isSecret })),
    updates: values.filter(([name]) => isKnown(name)).map(([name, value]) => ({ name, value })),
  };
}

function toUnset(names: readonly string[]): VariableChanges {
  return { deletes: names.map((name) => ({ name })) };
}

function printChanges(
  done: { readonly id: string; readonly changes: VariableChanges },
  input: CommandInput,
  io: Io,
): void {
  const names = (list: readonly { readonly name: string }[] = []): string[] =>
    list.map(({ name }) => name);
  const { inserts, updates, deletes } = done.changes;
  const changed = { inserted: names(inserts), updated: names(updates), deleted: names(deletes) };
  if (input.options.json === true) {
    printJson({ id: done.id, ...changed }, io);
    return;
  }
  const lines = Object.entries(changed)
    .filter(([, list]) => list.length > 0)
    .map(([what, list]) => `${what}: ${list.join(", ")}`);
  io.out(toLines(lines));
}

function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${toVisibleLine(line)}\n`).join("");
}
