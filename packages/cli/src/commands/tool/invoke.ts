import { toVisibleText } from "@haft/core/internal";
import type { InvokeOptions } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { printInvocation } from "./print-output.ts";
import { readInputs } from "./read-inputs.ts";
import { requireTool } from "./require-tool.ts";
import { startInvocations } from "./wait.ts";

/** `haft tool invoke`: runs a version and prints its output, or the platform's response. */
export async function invokeTool(input: CommandInput, io: Io): Promise<number> {
  const [name = "", ...words] = input.positionals;
  const inputs = await readInputs(words, input, io);
  const version = optionText(input, "version") ?? "latest";
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  const target = { toolId: tool.id, version };
  if (input.options.async === true) return startInvocations({ client, target, inputs }, input, io);
  for (const name of ["follow", "webhook"]) {
    if (input.options[name] !== undefined) throw new UsageError(`--${name} needs --async.`);
  }
  const { body, version: ran } = await client.versions.invoke(
    target,
    inputs,
    readOptions(input, io),
  );
  if (input.options.json === true) printJson(body, io);
  for (const [index, result] of input.options.json === true
    ? []
    : body.invocation_results.entries()) {
    if (inputs.length > 1) io.error(`== input ${index + 1}\n`);
    printInvocation(result, io);
  }
  if (ran !== null && ran !== version && io.outputIsTerminal) {
    io.error(`haft: version ${toVisibleText(ran)}\n`);
  }
  return body.invocation_results.every(({ succeeded }) => succeeded) ? 0 : 1;
}

function readOptions(input: CommandInput, io: Io): InvokeOptions {
  const idempotencyKey = optionText(input, "idempotency-key");
  return {
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(input.options.json === true ? {} : { withLogs: true }),
    ...(input.options.status === true ? { onStatus: (status) => printStatus(status, io) } : {}),
  };
}

function printStatus(
  { index, event }: { readonly index: number; readonly event: unknown },
  io: Io,
): void {
  const text = typeof event === "string" ? event : JSON.stringify(event);
  io.error(`[${index + 1}] ${toVisibleText(text)}\n`);
}
