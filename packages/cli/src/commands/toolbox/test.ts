import { type DescribedScript, toToolboxTool } from "@haft/connect/internal/toolbox";
import type { ToolResult } from "@haft/contract";
import { createRegistry, createSession } from "@haft/core";
import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { readCallArguments } from "../../options/read-call-arguments.ts";
import { printJson, printResult } from "../../terminal/print-result.ts";
import { approvingHost } from "../../terminal/terminal-host.ts";
import { settleTrust } from "../../trust/settle-trust.ts";
import { findScript } from "./find-script.ts";
import { locateToolbox } from "./locate-toolbox.ts";

/** `haft toolbox test`: asks a script for its description and, with arguments, runs it. */
export async function testScript(
  { positionals: [wanted = "", ...words] }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const args = words.length === 0 ? undefined : await readCallArguments(words, io);
  const computer = openComputer(options, io);
  await settleTrust(computer, io, { ...options, asks: true });
  const toolbox = locateToolbox(computer, io);
  const found = await findScript(wanted, io.directory, toolbox);
  if ("fault" in found) {
    const { path, fault } = found;
    if (options.json) printJson({ script: path, state: "unusable", warning: fault }, io);
    io.error(`${toVisibleLine(`haft: ${path}: ${fault}`)}\n`);
    return 1;
  }
  const { id, script, described } = found;
  const { description, parameters, format } = described;
  const facts = { name: id, script: script.path, description, format, parameters };
  if (!options.json) show(found, io);
  const tool = toToolboxTool(found, toolbox.computer);
  const result =
    args === undefined
      ? undefined
      : await createSession({
          registry: createRegistry([tool]),
          computer: toolbox.computer,
          name: options.session,
          rules: options.rules,
          // Naming a script with arguments is the approval to run it.
          host: approvingHost,
        }).call({ name: id, arguments: args }, { signal: io.signal });
  if (options.json) printJson({ ...facts, state: "ready", ...(result && { result }) }, io);
  else if (result !== undefined) printRun(result, io);
  return result?.type === "error" ? 1 : 0;
}

function show({ id, script, described }: DescribedScript, io: Io): void {
  const { description, parameters, format } = described;
  const how = format === "json" ? "JSON" : "lines";
  io.out(`${toVisibleLine(`${id}    ${script.path} (${how})`)}\n`);
  io.out(`${toVisibleText(description)}\n`);
  io.out(`${toVisibleText(JSON.stringify(parameters, undefined, 2))}\n`);
}

function printRun(result: ToolResult, io: Io): void {
  io.out("\n");
  printResult(result, io);
}
