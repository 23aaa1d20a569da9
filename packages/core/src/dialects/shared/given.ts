/** Arguments in an alias's terms. */
export type Given = Readonly<Record<string, unknown>>;

/** Returns a text argument. Empty, "null" and "undefined" count as left out, because models write them. */
export function givenText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return ["", "null", "undefined"].includes(value.trim()) ? undefined : value;
}

/** Returns a number argument, rounded down and raised to the minimum. */
export function givenCount(value: unknown, minimum: number): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Math.max(minimum, Math.floor(value));
}

/** Removes arguments that are `undefined`. */
export function leaveOut<Args extends object>(args: Args): Args {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== undefined),
  ) as Args;
}
