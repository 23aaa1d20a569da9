import { toVisibleLine } from "@haft/core/internal";
import type { Canary } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { requireTool } from "./require-tool.ts";

/** `haft tool canary`: sends a part of the calls of `latest` to another version, or stops that. */
export async function runCanary(input: CommandInput, io: Io): Promise<number> {
  const [name = "", version, part] = input.positionals;
  const isStopping = input.options.stop === true;
  if (isStopping && version !== undefined) {
    throw new UsageError("--stop takes only the tool's name: haft tool canary NAME --stop.");
  }
  const client = openClient(input, io);
  if (!isStopping && version !== undefined) {
    const percent = readPercent(part);
    const abort_if = optionText(input, "abort-if");
    const tool = await requireTool(name, client);
    const canary = await client.versions.startCanary(tool.id, {
      version,
      percent,
      ...(abort_if !== undefined && { abort_if }),
    });
    if (input.options.json === true) printJson({ id: tool.id, canary }, io);
    else {
      const what = `${percent} % of the calls of latest go to ${tool.name} ${version}, until ${canary.abort_if}`;
      io.out(`${toVisibleLine(what)}.\n`);
    }
    return 0;
  }
  const tool = await requireTool(name, client);
  if (isStopping) await client.versions.stopCanary(tool.id);
  const { canary } = await client.versions.latest(tool.id);
  if (input.options.json === true) printJson({ id: tool.id, canary }, io);
  else if (canary === null) io.out("No canary. Start one: haft tool canary NAME VERSION 10%\n");
  else io.out(`${toVisibleLine(describeCanary(canary))}\n`);
  return 0;
}

/** Describes a canary in one line. */
export function describeCanary(canary: Canary): string {
  const { version, percent, calls, errors, stable_calls, stable_errors, outcome } = canary;
  const state = outcome === null ? `gets ${percent} % until ${canary.abort_if}` : outcome;
  return `${version} (${state}): ${errors} errors in ${calls} calls; latest: ${stable_errors} in ${stable_calls}`;
}

function readPercent(text: string | undefined): number {
  const [, digits] = /^(\d{1,2})%?$/u.exec(text ?? "") ?? [];
  const percent = Number(digits);
  if (digits !== undefined && percent >= 1) return percent;
  throw new UsageError(
    `The part of the calls is a percentage from 1% to 99%, not ${JSON.stringify(text ?? "")}. Write, for example: haft tool canary NAME VERSION 10%.`,
  );
}
