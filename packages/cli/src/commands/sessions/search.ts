import type { ThreadHit } from "@haft/agent/threads";
import { toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { readCount } from "../../options/read-count.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { withRecords } from "./open-records.ts";

const defaultHits = 20;

/** `haft sessions search` */
export async function searchSessions(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const query = input.positionals.join(" ");
  if (query.trim() === "") {
    throw new UsageError("The search is empty. Give words to search for.");
  }
  const limit = readCount(input, "limit") ?? defaultHits;
  const [root] = openComputer(options, io).roots;
  const workspace = input.options.all === true ? undefined : root;
  const hits = await withRecords(options, io, async ({ threads }) => {
    await threads.takeIn();
    return threads.search(query, { workspace, limit });
  });
  if (options.json) {
    printJson(hits.map(toJson), io);
    return 0;
  }
  if (hits.length === 0) {
    const where =
      workspace === undefined ? "" : " in this workspace; --all searches all workspaces";
    io.out(`Nothing found${where}.\n`);
  }
  for (const { thread, snippet } of hits) {
    const title = thread.title === undefined ? "" : `  ${thread.title}`;
    const label = workspace === undefined ? `${thread.id}  ${thread.workspace}` : thread.name;
    io.out(toVisibleText(`${label}${title}\n    ${snippet}\n`));
  }
  return 0;
}

function toJson({ thread, snippet, at }: ThreadHit): Record<string, unknown> {
  const { id, name, title, workspace, updatedAt } = thread;
  return {
    id,
    name,
    title,
    workspace,
    last_used: new Date(updatedAt).toISOString(),
    snippet,
    at,
  };
}
