import type { ToolChange } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { readTags } from "./read-tags.ts";
import { onlyWord, requireTool } from "./require-tool.ts";

/** `haft tool update`: another description, other tags. */
export async function updateTool(input: CommandInput, io: Io): Promise<number> {
  const name = onlyWord(input);
  const description = optionText(input, "description");
  const words = optionTexts(input, "tag");
  const change: ToolChange = {
    ...(description === undefined ? {} : { description }),
    ...(words.length === 0 ? {} : { tags: readTags(words.filter((word) => word !== "")) }),
  };
  if (Object.keys(change).length === 0) {
    throw new UsageError(
      "What is to change? --description TEXT, or --tag KEY=VALUE for all its tags.",
    );
  }
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  await client.tools.modify(tool.id, change);
  if (input.options.json === true) printJson({ id: tool.id, ...change }, io);
  else io.out(`Changed ${tool.name}.\n`);
  return 0;
}
