import { toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { openWorkspace } from "../open-workspace.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { printJson } from "../terminal/print-result.ts";
import { listCosts, printCosts, sumUp } from "./definition-costs.ts";

/** `haft tools` */
export async function listTools(input: CommandInput, io: Io): Promise<number> {
  const options = readCommonOptions(input, io);
  const workspace = await openWorkspace(options, io, { shows: true, asksForTrust: true });
  const session = workspace.openSession();
  const shown = session.tools("all");
  const costs = input.options.cost === true ? listCosts(session) : undefined;
  await workspace.close();
  if (costs !== undefined) {
    if (options.json) printJson({ ...sumUp(costs), tools: costs }, io);
    else printCosts(costs, io);
    return 0;
  }
  if (options.json) {
    printJson(
      shown.map(({ name, description, input_schema, kind, source, requires }) => ({
        name,
        description,
        input_schema,
        kind,
        source,
        requires,
      })),
      io,
    );
    return 0;
  }
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  for (const { name, description } of shown) {
    io.out(`${name.padEnd(width)}  ${toVisibleText(firstSentence(description))}\n`);
  }
  return 0;
}

function firstSentence(description: string): string {
  const line = description.trim().split("\n", 1)[0] ?? "";
  return /^.*?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line;
}
