/** Whether a file's content is meant as a graph of states, well made or not, and not as states or specs alone. */
export function isStateGraph(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if ("initial" in value) return true;
  const states = "states" in value ? value.states : undefined;
  if (!Array.isArray(states)) return false;
  return states.some(
    (state) => typeof state === "object" && state !== null && marks.some((mark) => mark in state),
  );
}

// Only the states of a graph have these.
const marks = ["next", "tools", "objective"];
