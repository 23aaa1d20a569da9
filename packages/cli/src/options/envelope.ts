import type { ToolResult } from "@haft/contract";
import { toAmpResult } from "@haft/core";
import type { CommandInput, OptionTable } from "../command.ts";
import { UsageError } from "../usage-error.ts";

/** The option that chooses in which shape `--json` prints results. */
export const envelopeOption: OptionTable = { envelope: { type: "string" } };

/** How `--help` describes it. */
export const envelopeHelp = `      --envelope NAME   the shape of results with --json: haft (default) or amp
                        ({"status", "result", "trackFiles"} or {"status", "error"})`;

const envelopes: Readonly<Record<string, (result: ToolResult) => unknown>> = {
  haft: (result) => result,
  amp: toAmpResult,
};

/** What puts results into the shape that the option names. */
export function readEnvelope({ options }: CommandInput): (result: ToolResult) => unknown {
  const name = typeof options.envelope === "string" ? options.envelope : "haft";
  const wrap = Object.hasOwn(envelopes, name) ? envelopes[name] : undefined;
  if (wrap !== undefined) return wrap;
  const known = Object.keys(envelopes).join(", ");
  throw new UsageError(`There is no envelope ${JSON.stringify(name)}. Envelopes: ${known}.`);
}
