import { toVisibleLine } from "@haft/core/internal";
import type { ToolVersion, VersionQuery } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber, optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { readDeprecated } from "./read-deprecated.ts";
import { requireTool } from "./require-tool.ts";
import { showTime, showVersion } from "./show-time.ts";

/** `haft tool versions` */
export async function listVersions(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const query = readQuery(input);
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  const page = await client.versions.list(tool.id, query);
  if (input.options.json === true) {
    printJson(page, io);
    return 0;
  }
  if (page.tool_versions.length === 0) {
    io.out("No versions. Publish one with: haft tool publish\n");
    return 0;
  }
  const width = Math.max(...page.tool_versions.map(({ version }) => showVersion(version).length));
  for (const version of page.tool_versions) io.out(`${toVisibleLine(toRow(version, width))}\n`);
  if (page.has_more) io.error(`haft: more versions: --token ${page.continuation_token}\n`);
  return 0;
}

function toRow(version: ToolVersion, width: number): string {
  const columns = [
    showVersion(version.version).padEnd(width),
    showTime(version.created_at),
    version.tool_commit_hash.slice(0, 10),
    version.project_directory,
    `by ${version.creator.user_id}`,
    ...markVersion(version),
  ];
  return columns.join("  ");
}

/** Returns the words that set a version apart from the others. */
export function markVersion(
  { latest, candidate, deprecated }: ToolVersion,
  isCanary = false,
): readonly string[] {
  const marks = { latest, candidate, canary: isCanary, deprecated };
  return Object.entries(marks).flatMap(([word, isMarked]) => (isMarked ? [word] : []));
}

function readQuery(input: CommandInput): VersionQuery {
  const deprecated = readDeprecated(input);
  const versions = optionText(input, "constraint");
  const [limit, token] = [optionNumber(input, "limit"), optionNumber(input, "token")];
  return {
    sort_by: optionTexts(input, "sort"),
    creator: optionTexts(input, "creator"),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(versions === undefined ? {} : { versions }),
    ...(limit === undefined ? {} : { limit }),
    ...(token === undefined ? {} : { continuation_token: token }),
  };
}
