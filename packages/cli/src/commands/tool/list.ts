import type { Tool, ToolPage, ToolQuery } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { toTable } from "../../terminal/table.ts";
import { readDeprecated } from "./read-deprecated.ts";

const maxDescription = 80;

/** `haft tool list` */
export async function listTools(input: CommandInput, io: Io): Promise<number> {
  const query = readQuery(input);
  const client = openClient(input, io);
  let page = await client.tools.list(query);
  if (input.options.all === true) {
    const tools: Tool[] = [...page.tools];
    const first = page;
    while (page.has_more && page.continuation_token !== null) {
      page = await client.tools.list({ ...query, continuation_token: page.continuation_token });
      tools.push(...page.tools);
    }
    page = { ...first, tools, has_more: false, continuation_token: null } satisfies ToolPage;
  }
  if (input.options.json === true) printJson(page, io);
  else if (page.tools.length === 0) io.error("haft: no tools\n");
  else {
    io.out(toTable([["NAME", "TAGS", "DESCRIPTION"], ...page.tools.map(toRow)]));
    if (page.has_more) io.error(`haft: more tools: --token ${page.continuation_token}, or --all\n`);
  }
  return 0;
}

function toRow({ name, tags, deprecated, description }: Tool): readonly string[] {
  const shown = tags.map(({ key, value }) => (value === null ? key : `${key}=${value}`));
  const text =
    description.length > maxDescription ? `${description.slice(0, maxDescription)}…` : description;
  return [deprecated ? `${name} (deprecated)` : name, shown.join(" ") || "-", text];
}

function readQuery(input: CommandInput): ToolQuery {
  const limit = optionNumber(input, "limit") ?? (input.options.all === true ? 20 : undefined);
  const token = optionNumber(input, "token");
  const deprecated = readDeprecated(input);
  return {
    id: optionTexts(input, "id"),
    tag: optionTexts(input, "tag"),
    sort_by: optionTexts(input, "sort"),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(limit === undefined ? {} : { limit }),
    ...(token === undefined ? {} : { continuation_token: token }),
  };
}
