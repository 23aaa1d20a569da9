import type { Address } from "../address.ts";
import type { Tool } from "./tools.ts";

/** A thing that invocations are filtered by. In the address, `not.` before its name leaves values out. */
export interface FilterField {
  readonly name: "tool" | "version" | "source" | "key" | "user" | "error";
  readonly label: string;
  /** The name of the API's parameter. */
  readonly parameter: "tool_id" | "version" | "source" | "api_key" | "user_id" | "error";
  readonly choices?: readonly string[];
}

/** What invocations can be filtered by. */
export const filterFields: readonly FilterField[] = [
  { name: "tool", label: "Tool", parameter: "tool_id" },
  { name: "version", label: "Version", parameter: "version" },
  {
    name: "source",
    label: "Source",
    parameter: "source",
    choices: ["direct", "mcp", "schedule", "regular-conversation", "simulation-conversation"],
  },
  { name: "key", label: "Key", parameter: "api_key" },
  { name: "user", label: "User", parameter: "user_id" },
  { name: "error", label: "Error", parameter: "error" },
];

/** Ranges of time that end now. */
export const ranges: Readonly<Record<string, { readonly label: string; readonly ms: number }>> = {
  "1h": { label: "Last hour", ms: 3_600_000 },
  "24h": { label: "Last 24 hours", ms: 86_400_000 },
  "7d": { label: "Last 7 days", ms: 604_800_000 },
  "30d": { label: "Last 30 days", ms: 2_592_000_000 },
};

/** The API's query for the values of the address. Names of tools become IDs. */
export function toApiFilter(
  { text, list }: Pick<Address, "text" | "list">,
  tools: readonly Tool[],
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const idOf = (name: string): string =>
    tools.find((tool) => tool.name === name)?.id ?? (isId(name) ? name : "0".repeat(24));
  for (const { name, parameter } of filterFields) {
    for (const prefix of ["", "not"] as const) {
      const values = list(prefix === "" ? name : `not.${name}`);
      if (values.length === 0) continue;
      query[prefix === "" ? parameter : `not_${parameter}`] =
        name === "tool" ? [...new Set(values.map(idOf))] : values;
    }
  }
  const status = text("status");
  if (status === "failed" || status === "succeeded") query.succeeded = status === "succeeded";
  const range = ranges[text("range")];
  if (range !== undefined) {
    // To the minute, so that the same query is asked while nothing changes.
    query.from = new Date(Math.floor((Date.now() - range.ms) / 60_000) * 60_000).toISOString();
  }
  if (isMoment(text("from"))) query.from = text("from");
  if (isMoment(text("to"))) query.to = text("to");
  if (text("q").trim() !== "") query.query = text("q").trim();
  return query;
}

function isId(text: string): boolean {
  return /^[a-f0-9]{24}$/u.test(text);
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u.test(text);
}
