import type { ConversationState } from "@haft/connect/published";

/**
 * Makes states with equal tool-call specs share the same object. A tool that two states list identically
 * is then one tool, and stays callable in the turn that changes between the states.
 */
export function shareSpecs(states: readonly ConversationState[]): readonly ConversationState[] {
  const known = new Map<string, unknown>();
  const share = (spec: unknown): unknown => {
    const key = JSON.stringify(spec, sortKeys);
    const same = known.get(key) ?? spec;
    known.set(key, same);
    return same;
  };
  return states.map(
    (state) =>
      Object.fromEntries(
        Object.entries(state).map(([field, value]) => [
          field,
          Array.isArray(value) ? value.map(share) : value,
        ]),
      ) as ConversationState,
  );
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
