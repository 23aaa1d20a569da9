import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import { isConfirmed } from "../../environments/confirm.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { onlyWord, requireTool } from "./require-tool.ts";

/** `haft tool deprecate`: retires a tool, or some of its versions; there is no way back. */
export async function deprecateTool(input: CommandInput, io: Io): Promise<number> {
  const name = onlyWord(input);
  const versions = optionText(input, "versions") ?? optionText(input, "constraint");
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  const what = toVisibleLine(
    versions === undefined
      ? `${tool.name} with all its versions`
      : `the versions ${versions} of ${tool.name}`,
  );
  const remedy = "Say that you mean it with --yes.";
  if (
    !(await isConfirmed(
      `Deprecate ${what}? They can't be invoked any more.`,
      { ...input, remedy },
      io,
    ))
  ) {
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
