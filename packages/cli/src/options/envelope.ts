import type { ToolResult } from "@haft/contract";
import { toAmpResult } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";

const envelopes: Readonly<Record<string, (result: ToolResult) => unknown>> = {
  haft: (result) => result,
  amp: toAmpResult,
};

/** Returns the function that converts results to the shape that `--envelope` names, or the dialect implies. */
export function readEnvelope({ options }: CommandInput): (result: ToolResult) => unknown {
  const implied = options.dialect === "amp" ? "amp" : "haft";
  const name = typeof options.envelope === "string" ? options.envelope : implied;
  return envelopes[name] as (result: ToolResult) => unknown;
}
