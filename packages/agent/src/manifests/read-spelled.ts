import { fieldError } from "./fields.ts";

/** Fields by their canonical names, and those that are unknown. */
export interface SpelledFields<Name extends string> {
  readonly fields: Readonly<Partial<Record<Name, unknown>>>;
  /** As they were written. */
  readonly unknown: readonly string[];
}

/**
 * Finds fields in any spelling: `maxSteps`, `max-steps` and `max_steps` are the same. Throws if a field
 * is given twice in different spellings, because it is not clear which one is meant.
 */
export function readSpelled<Name extends string>(
  given: Readonly<Record<string, unknown>>,
  spellings: Readonly<Record<Name, readonly string[]>>,
): SpelledFields<Name> {
  const fields: Partial<Record<Name, unknown>> = {};
  const written = new Map<Name, string>();
  const unknown: string[] = [];
  const names = Object.keys(spellings) as Name[];
  for (const [key, value] of Object.entries(given)) {
    const folded = key.replaceAll(/[-_]/gu, "").toLowerCase();
    const name = names.find((one) => spellings[one].includes(folded));
    if (name === undefined) {
      unknown.push(key);
      continue;
    }
    const twin = written.get(name);
    if (twin !== undefined)
      throw fieldError(key, `is the same field as ${twin}. Remove one of them.`);
    written.set(name, key);
    fields[name] = value;
  }
  return { fields, unknown };
}
