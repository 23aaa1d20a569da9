import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import { optionChoice } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { requireToolName } from "./tool-name.ts";

/** `haft tool init`: creates a folder with a project that can be tested and published as it is. */
export async function initTool(input: CommandInput, io: Io): Promise<number> {
  const name = requireToolName(input);
  const runtime = optionChoice(input, "runtime", ["node", "python"]) ?? "node";
  const directory = resolve(io.directory, name);
  requireEmpty(directory);
  const { readInstalledFiles, readScaffold } = await import("@haft/platform/internal");
  const files = await readScaffold({ name, runtime });
  // So that the tests run without npm and without a network.
  const installed = runtime === "node" ? await readInstalledFiles() : [];
  for (const [path, content] of [...files, ...installed]) {
    const target = join(directory, path);
    if (!target.startsWith(directory + sep)) throw new Error(`${path} is outside the folder.`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content, { flag: "wx" });
  }
  if (input.options.json === true) {
    printJson({ name, runtime, directory, files: [...files.keys()].sort() }, io);
  } else io.out(`${toVisibleLine(`Created ${directory}.`)}\n${nextSteps(name, runtime)}`);
  return 0;
}

function requireEmpty(directory: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(directory);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    throw new UsageError(`${directory} cannot be used: ${message}`);
  }
  if (names.length === 0) return;
  throw new UsageError(`${directory} already exists and is not empty. Choose another name.`);
}

function nextSteps(name: string, runtime: "node" | "python"): string {
  const tests = runtime === "node" ? `\nRun its tests:\n\n  cd ${name} && npm test\n` : "";
  return `${tests}
Run it with the inputs in examples/, again after every change:

  haft tool dev ${name}

Next, with the platform running (haft serve):

  haft tool publish --path ${name} --push --create --bump minor
  haft tool invoke ${name} name=world

tool.json declares its input, the variables it needs and the hosts it may reach.
`;
}
