/** Arguments in an alias's own terms. */
export type Given = Readonly<Record<string, unknown>>;

/** A text that was given; models write out that they leave one out. */
export function givenText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return ["", "null", "undefined"].includes(value.trim()) ? undefined : value;
}

/** A whole number that was given, no smaller than the least that makes sense. */
export function givenCount(value: unknown, least: number): number | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Math.max(least, Math.floor(value));
}

/** The same arguments without those that were left out. */
export function leaveOut<Args extends object>(args: Args): Args {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== undefined),
  ) as Args;
}
