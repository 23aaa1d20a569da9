import { isPlainObject } from "@haft/contract/internal";
import type { AgentLimits } from "../loop/agent-limits.ts";
import { fieldError, show } from "./fields.ts";
import { readSpelled } from "./read-spelled.ts";

const spellings = {
  maxSteps: ["maxsteps", "steps"],
  maxTokens: ["maxtokens", "tokens"],
  maxCost: ["maxcost", "cost"],
  retries: ["retries", "maxretries"],
} as const;

/** Reads the limits of an agent. */
export function readLimits(value: unknown): AgentLimits {
  if (!isPlainObject(value))
    throw fieldError("limits", `must be a map of fields, not ${show(value)}.`);
  const { fields, unknown } = readSpelled(value, spellings);
  const [stranger] = unknown;
  if (stranger !== undefined) {
    const known = Object.keys(spellings).join(", ");
    throw fieldError(`limits.${stranger}`, `is unknown. Known fields: ${known}.`);
  }
  return {
    ...readNumber("maxSteps", fields, { min: 1, isWhole: true }),
    ...readNumber("maxTokens", fields, { min: 1, isWhole: true }),
    ...readNumber("maxCost", fields, { min: 0, isWhole: false }),
    ...readNumber("retries", fields, { min: 0, isWhole: true }),
  };
}

function readNumber(
  name: keyof typeof spellings,
  fields: Readonly<Record<string, unknown>>,
  { min, isWhole }: { readonly min: number; readonly isWhole: boolean },
): AgentLimits {
  const value = fields[name];
  if (value === undefined) return {};
  const fits = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (fits && (value as number) >= min) return { [name]: value as number };
  const kind = isWhole ? "a whole number" : "a number";
  throw fieldError(`limits.${name}`, `must be ${kind} of at least ${min}, not ${show(value)}.`);
}
