import { toVisibleLine } from "@haft/core/internal";
import type { Retention, RetentionLimits } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { requireTool } from "./require-tool.ts";

/** `haft tool retention`: shows or limits how long invocations are kept. */
export async function changeRetention(input: CommandInput, io: Io): Promise<number> {
  const [name] = input.positionals;
  const limits = readLimits(input);
  const isClearing = input.options.clear === true;
  if (isClearing && limits !== undefined) {
    throw new UsageError("--clear removes the limits. Leave out --days and --count.");
  }
  const client = openClient(input, io);
  const tool = name === undefined ? undefined : await requireTool(name, client);
  const { history } = client;
  const retention = await (isClearing
    ? history.clearRetention(tool?.id)
    : limits === undefined
      ? history.retention(tool?.id)
      : history.setRetention(limits, tool?.id));
  if (input.options.json === true) printJson(retention, io);
  else io.out(`${toVisibleLine(describe(tool?.name ?? "tools without own limits", retention))}\n`);
  return 0;
}

function readLimits(input: CommandInput): RetentionLimits | undefined {
  const days = optionNumber(input, "days");
  const count = optionNumber(input, "count");
  if (days === undefined && count === undefined) return undefined;
  return { ...(days !== undefined && { days }), ...(count !== undefined && { count }) };
}

function describe(what: string, { days, count, set_for }: Retention): string {
  const limits = [
    ...(days === null ? [] : [`for ${days} days`]),
    ...(count === null ? [] : [`the last ${count} of each tool`]),
  ];
  if (limits.length === 0) return `Invocations of ${what} are kept without a limit.`;
  return `Invocations of ${what} are kept ${limits.join(", at most ")} (set for the ${set_for}).`;
}
