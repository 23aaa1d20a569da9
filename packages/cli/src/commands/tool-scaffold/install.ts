import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { PlatformClient } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { runProgram } from "../../environments/run-program.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { chooseManagers, type Manager } from "./choose-managers.ts";
import { chooseTools } from "./choose-tools.ts";
import { findTools, type ToolFolder } from "./find-tools.ts";

type Runtime = ToolFolder["runtime"];

interface Outcome {
  readonly tool: string;
  readonly directory: string;
  readonly installed: boolean;
  readonly error?: string;
}

/** `haft tool-scaffold install`: installs the scaffold package in the folders of tools. */
export async function installScaffold(input: CommandInput, io: Io): Promise<number> {
  const { tools, faults } = findTools(io.directory);
  for (const fault of faults) io.error(`haft: ${toVisibleLine(fault)}\n`);
  if (tools.length === 0) {
    throw new Error(
      `No folder below ${io.directory} has a tool.json. Create a tool with: haft tool init NAME`,
    );
  }
  const chosen = await chooseTools(tools, input, io);
  const managers = await chooseManagers(chosen, io);
  const client = openClient(input, io);
  const temporary = mkdtempSync(join(tmpdir(), "haft-scaffold-"));
  const outcomes: Outcome[] = [];
  try {
    const packages = await downloadAll(chosen, client, temporary);
    for (const tool of chosen) {
      const file = packages.get(tool.runtime) as string;
      const { program } = managers.get(tool.runtime) as Manager;
      const error = await install(tool, listCommands(tool, program, file), { input, io });
      outcomes.push({
        tool: tool.name,
        directory: tool.directory,
        installed: error === undefined,
        ...(error === undefined ? {} : { error }),
      });
      if (input.options.json !== true) printOutcome(tool, error, io);
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  if (input.options.json === true) printJson(outcomes, io);
  return outcomes.every(({ installed }) => installed) ? 0 : 1;
}

const defaultNames: Readonly<Record<Runtime, string>> = {
  node: "amigo_tool_scaffold.tgz",
  python: "amigo_tool_scaffold-1.0.0-py3-none-any.whl",
};

async function downloadAll(
  tools: readonly ToolFolder[],
  client: PlatformClient,
  directory: string,
): Promise<ReadonlyMap<Runtime, string>> {
  const files = new Map<Runtime, string>();
  for (const runtime of new Set(tools.map((tool) => tool.runtime))) {
    const path = "/v1/{organization}/tool/amigo_tool_scaffold.tar.gz";
    const { bytes, fileName } = await client.download(path, {
      query: { form: "package", runtime },
    });
    // The name of a wheel states its content, so the server's name is kept if it is safe.
    const isPlain = fileName !== undefined && /^\w[\w.+-]{0,150}$/u.test(fileName);
    const file = join(directory, isPlain ? basename(fileName) : defaultNames[runtime]);
    writeFileSync(file, bytes);
    files.set(runtime, file);
  }
  return files;
}

type Command = readonly [program: string, ...words: string[]];

function listCommands(
  tool: ToolFolder,
  manager: Manager["program"],
  file: string,
): readonly Command[] {
  const hasEnvironment = existsSync(join(tool.directory, ".venv"));
  const python = ".venv/bin/python";
  switch (manager) {
    case "npm":
      return [["npm", "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", file]];
    case "uv":
      return [
        ...(hasEnvironment ? [] : [["uv", "venv"] as const]),
        ["uv", "pip", "install", "--python", ".venv", "--no-deps", file],
      ];
    case "python3":
      return [
        // An environment that uv made has no pip.
        hasEnvironment ? [python, "-m", "ensurepip"] : ["python3", "-m", "venv", ".venv"],
        [
          python,
          "-m",
          "pip",
          "install",
          "--disable-pip-version-check",
          "--force-reinstall",
          "--no-deps",
          file,
        ],
      ];
  }
}

async function install(
  tool: ToolFolder,
  commands: readonly Command[],
  { input, io }: { readonly input: CommandInput; readonly io: Io },
): Promise<string | undefined> {
  const isVerbose = input.options.verbose === true;
  for (const [program, ...words] of commands) {
    const shown = [program, ...words].join(" ");
    if (isVerbose) io.error(`${toVisibleLine(`${tool.path}$ ${shown}`)}\n`);
    const { exitCode, stdout, stderr } = await runProgram(program, words, {
      directory: tool.directory,
      environment: io.environment,
      signal: io.signal,
      ...(isVerbose ? { onOutput: (text) => io.error(toVisibleText(text)) } : {}),
    });
    if (exitCode === 0) continue;
    const said = (stderr.trim() || stdout.trim()).split("\n").slice(-10).join("\n");
    return `${shown} ended with ${exitCode ?? "no exit code"}${said === "" ? "" : `:\n${said}`}`;
  }
  return undefined;
}

function printOutcome(tool: ToolFolder, error: string | undefined, io: Io): void {
  const name = toVisibleLine(`${tool.name} (${tool.path})`);
  if (error === undefined) io.out(`✓ ${name}\n`);
  else io.error(`✗ ${name}: ${toVisibleText(error)}\n`);
}
