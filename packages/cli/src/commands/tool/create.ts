import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { readTags } from "./read-tags.ts";
import { onlyWord } from "./require-tool.ts";
import { requireToolName } from "./tool-name.ts";

/** `haft tool create`: makes a tool, which has no version yet. */
export async function createTool(input: CommandInput, io: Io): Promise<number> {
  const name = requireToolName(onlyWord(input));
  const description = optionText(input, "description");
  if (description === undefined) {
    throw new UsageError("What does it do? Say it with --description TEXT.");
  }
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
