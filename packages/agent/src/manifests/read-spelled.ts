import { fieldError } from "./fields.ts";

/** Fields by the one name that we have for each, and those that have none. */
export interface SpelledFields<Name extends string> {
  readonly fields: Readonly<Partial<Record<Name, unknown>>>;
  /** As they were written. */
  readonly unknown: readonly string[];
}

/**
 * Finds fields however they are spelled: `maxSteps`, `max-steps` and `max_steps` are one. Two spellings
 * of one field in one place throw: nobody could tell which is meant.
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
    if (twin !== undefined) throw fieldError(key, `says what ${twin} says. Leave one of them out.`);
    written.set(name, key);
    fields[name] = value;
  }
  return { fields, unknown };
}
