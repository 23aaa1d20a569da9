import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import { isConfirmed } from "../../environments/confirm.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { requireTool } from "./require-tool.ts";

/** `haft tool deprecate`: deprecates a tool, or some of its versions. */
export async function deprecateTool(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const versions = optionText(input, "versions");
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  const what = toVisibleLine(
    versions === undefined
      ? `${tool.name} with all its versions`
      : `the versions ${versions} of ${tool.name}`,
  );
  const question = `Deprecate ${what}? They cannot be invoked any more.`;
  if (!(await isConfirmed(question, input, io))) {
    io.error("haft: nothing was deprecated\n");
    return 1;
  }
  if (versions === undefined) await client.tools.deprecate(tool.id);
  else await client.versions.deprecate(tool.id, versions);
  if (input.options.json === true) {
    printJson({ id: tool.id, deprecated: versions ?? true }, io);
  } else io.out(`Deprecated ${what}.\n`);
  return 0;
}
