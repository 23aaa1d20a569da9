import { resolve } from "node:path";
import { type ModuleReport, validateModule } from "@haft/connect/internal/modules";
import { isPlainObject } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";
import { builtinTools } from "@haft/tools";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";

/** `haft module validate`: runs the checklist for modules on a directory. */
export async function validateModuleAt(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [directory = ""] = input.positionals;
  const config = readConfig(input.options.config);
  const report = await validateModule(resolve(io.directory, directory), {
    computer: openComputer(options, io),
    environment: io.environment,
    config,
    takenNames: builtinTools.flatMap(({ id, aliases = [] }) => [id, ...aliases.map((a) => a.name)]),
    warn: (message) => io.error(`haft: ${toVisibleLine(message)}\n`),
  });
  if (options.json) printJson(report, io);
  else show(report, io);
  return report.passed ? 0 : 1;
}

function readConfig(text: CommandInput["options"][string]): Record<string, unknown> {
  if (typeof text !== "string") return {};
  try {
    const config: unknown = JSON.parse(text);
    if (isPlainObject(config)) return config;
  } catch {
    // Reported below, as for any other wrong value.
  }
  throw new UsageError(`--config takes a JSON object, such as '{"limit": 5}'.`);
}

function show({ module, tools, items, passed }: ModuleReport, io: Io): void {
  const print = (line: string): void => io.out(`${toVisibleLine(line)}\n`);
  print(`${module}: ${tools.length === 0 ? "no tools" : tools.join(", ")}`);
  print("Checked against the validation checklist of the Tool Contract:");
  for (const { status, title, message, remedy } of items) {
    print(`  ${status}  ${title}`);
    if (message !== undefined) print(`        ${message}`);
    if (remedy !== undefined) print(`        Remedy: ${remedy}`);
  }
  print(passed ? "It can be mounted." : "It does not pass.");
}
