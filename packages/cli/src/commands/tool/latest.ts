import { toVisibleLine } from "@haft/core/internal";
import type { LatestMove, Tool } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { requireTool } from "./require-tool.ts";

/** `haft tool promote`: lets `latest` name a version. */
export async function promoteTool(input: CommandInput, io: Io): Promise<number> {
  const [name = "", version = ""] = input.positionals;
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  return showMove(tool, await client.versions.promote(tool.id, version), { input, io });
}

/** `haft tool rollback`: lets `latest` name the version before. */
export async function rollBackTool(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  const move = await client.versions.rollback(tool.id);
  showMove(tool, move, { input, io });
  if (input.options.json !== true) {
    io.error(
      `haft: ranges such as '>=1' still choose ${move.from}. To take it from them too: haft tool deprecate ${tool.name} --versions ${move.from}\n`,
    );
  }
  return 0;
}

/** `haft tool restore`: restores a deprecated tool, or a deprecated version. */
export async function restoreTool(input: CommandInput, io: Io): Promise<number> {
  const [name = "", version] = input.positionals;
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  if (version === undefined) await client.tools.restore(tool.id);
  else await client.versions.restore(tool.id, version);
  if (input.options.json === true) printJson({ id: tool.id, restored: version ?? true }, io);
  else io.out(`Restored ${toVisibleLine(`${tool.name}${version ? ` ${version}` : ""}`)}.\n`);
  return 0;
}

function showMove(
  tool: Pick<Tool, "id" | "name">,
  { from, to }: LatestMove,
  { input, io }: { readonly input: CommandInput; readonly io: Io },
): number {
  if (input.options.json === true) printJson({ id: tool.id, from, to }, io);
  else if (from === to)
    io.out(toVisibleLine(`latest of ${tool.name} is ${to} already.`).concat("\n"));
  else io.out(`${toVisibleLine(`latest of ${tool.name}: ${from ?? "no version"} → ${to}`)}\n`);
  return 0;
}
