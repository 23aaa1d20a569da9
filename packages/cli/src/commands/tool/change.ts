import type { ToolChange } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { requireTool } from "./require-tool.ts";
import { requireToolName } from "./tool-name.ts";

/** `haft tool create`: creates a tool, which has no version yet. */
export async function createTool(input: CommandInput, io: Io): Promise<number> {
  const name = requireToolName(input);
  const description = optionText(input, "description") as string;
  const tags = readTags(optionTexts(input, "tag"));
  const created = await openClient(input, io).tools.create({ name, description, tags });
  if (input.options.json === true) printJson(created, io);
  else {
    io.out(
      `Created ${name} (${created.id}). Next: haft tool publish ${name} --push --bump minor\n`,
    );
  }
  return 0;
}

/** `haft tool update`: changes the description and the tags. */
export async function updateTool(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const description = optionText(input, "description");
  const words = optionTexts(input, "tag");
  const change: ToolChange = {
    ...(description === undefined ? {} : { description }),
    ...(words.length === 0 ? {} : { tags: readTags(words.filter((word) => word !== "")) }),
  };
  if (Object.keys(change).length === 0) {
    throw new UsageError(
      "Nothing to change. Use --description TEXT, or --tag KEY=VALUE to replace all tags.",
    );
  }
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  await client.tools.modify(tool.id, change);
  if (input.options.json === true) printJson({ id: tool.id, ...change }, io);
  else io.out(`Changed ${tool.name}.\n`);
  return 0;
}

/** Reads tags from `key=value`, or `key` for one without a value. */
function readTags(words: readonly string[]): Record<string, string | null> {
  const tags = words.map((word): readonly [string, string | null] => {
    const [, key = "", value] = /^([^=]+)(?:=(.*))?$/su.exec(word) ?? [];
    if (key === "") {
      throw new UsageError(`--tag takes KEY=VALUE or KEY, not ${JSON.stringify(word)}.`);
    }
    return [key, value === undefined || value === "" ? null : value];
  });
  return Object.fromEntries(tags);
}
