import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import { optionChoice } from "../../environments/option-values.ts";
import { readScaffold } from "../../environments/scaffold.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { onlyWord } from "./require-tool.ts";
import { requireToolName } from "./tool-name.ts";

/** `haft tool init`: makes a folder with a project that tests and publishes as it comes. */
export async function initTool(input: CommandInput, io: Io): Promise<number> {
  const name = requireToolName(onlyWord(input));
  const runtime = optionChoice(input, "runtime", ["node", "python"]) ?? "node";
  const directory = resolve(io.directory, name);
  requireEmpty(directory);
  const files = await readScaffold({ name, runtime });
  for (const [path, content] of files) {
    const target = join(directory, path);
    if (!target.startsWith(directory + sep)) throw new Error(`${path} leads out of the folder.`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content, { flag: "wx" });
  }
  if (input.options.json === true) {
    printJson({ name, runtime, directory, files: [...files.keys()].sort() }, io);
  } else io.out(`${toVisibleLine(`Made ${directory}.`)}\n${nextSteps(name)}`);
  return 0;
}

function requireEmpty(directory: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(directory);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new UsageError(`${directory} can't be used: ${message}`);
  }
  if (names.length === 0) return;
  throw new UsageError(`${directory} is there already, and not empty. Take another name.`);
}

function nextSteps(name: string): string {
  return `
Next, with the platform running (haft serve):

  haft tool publish --path ${name} --push --create --bump minor
  haft tool invoke ${name} name=world

tool.json says what it takes, which variables it needs and which hosts it may reach.
`;
}
