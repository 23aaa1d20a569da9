import type { AgentLimits } from "../loop/agent-limits.ts";
import { fieldError, isObject, show } from "./fields.ts";
import { readSpelled } from "./read-spelled.ts";

const spellings = {
  maxSteps: ["maxsteps", "steps"],
  maxTokens: ["maxtokens", "tokens"],
  maxCost: ["maxcost", "cost"],
  retries: ["retries", "maxretries"],
} as const;

/** Reads how much an agent may use. */
export function readLimits(value: unknown): AgentLimits {
  if (!isObject(value)) throw fieldError("limits", `must have fields, and not be ${show(value)}.`);
  const { fields, unknown } = readSpelled(value, spellings);
  const [stranger] = unknown;
  if (stranger !== undefined) {
    const known = Object.keys(spellings).join(", ");
    throw fieldError(`limits.${stranger}`, `is not known. There are ${known}.`);
  }
  return {
    ...readNumber("maxSteps", fields, { least: 1, isWhole: true }),
    ...readNumber("maxTokens", fields, { least: 1, isWhole: true }),
    ...readNumber("maxCost", fields, { least: 0, isWhole: false }),
    ...readNumber("retries", fields, { least: 0, isWhole: true }),
  };
}

function readNumber(
  name: keyof typeof spellings,
  fields: Readonly<Record<string, unknown>>,
  { least, isWhole }: { readonly least: number; readonly isWhole: boolean },
): AgentLimits {
  const value = fields[name];
  if (value === undefined) return {};
  const fits = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (fits && (value as number) >= least) return { [name]: value as number };
  const kind = isWhole ? "a whole number" : "a number";
  throw fieldError(`limits.${name}`, `must be ${kind} from ${least} on, not ${show(value)}.`);
}
