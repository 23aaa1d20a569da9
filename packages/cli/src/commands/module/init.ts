import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { builtinTools } from "@haft/tools";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { pythonTemplate } from "./python-template.ts";
import { typescriptTemplate } from "./typescript-template.ts";

/** `haft module init`: creates a working module to start from. */
export async function initModule(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [name = ""] = input.positionals;
  const module = readName(name);
  const directory = join(resolve(io.directory, options.workspace), module.name);
  const files = input.options.python === true ? pythonTemplate(module) : typescriptTemplate(module);
  await makeDirectory(directory);
  for (const [path, content] of Object.entries(files)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: "wx" });
  }
  if (options.json) {
    printJson({ directory, tool: module.tool, files: Object.keys(files) }, io);
    return 0;
  }
  io.out(`Created ${directory} with the tool ${module.tool}:\n`);
  for (const path of Object.keys(files)) io.out(`  ${path}\n`);
  io.out(`Check it with: haft module validate ${directory} --type tool\n`);
  return 0;
}

function readName(name: string): { readonly name: string; readonly tool: string } {
  if (!/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/u.test(name) || name.length > 60) {
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid module name: use up to 60 lowercase letters and digits, with - between words, such as word-count.`,
    );
  }
  const tool = name.replaceAll("-", "_");
  if (
    builtinTools.some(({ id, aliases }) => id === tool || aliases?.some((a) => a.name === tool))
  ) {
    throw new UsageError(`${tool} is the name of a built-in tool. Choose another name.`);
  }
  return { name, tool };
}

async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(dirname(directory), { recursive: true });
    await mkdir(directory);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new UsageError(`${directory} already exists. Nothing was changed; choose another name.`);
  }
}
