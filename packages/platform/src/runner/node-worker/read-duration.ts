const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a duration of a tool, such as `90s`, `2h` or a number of milliseconds. */
export function readDuration(value: unknown, what: string): number {
  const [, amount, unit = ""] =
    typeof value === "string" ? (/^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/u.exec(value) ?? []) : [];
  const ms = typeof value === "number" ? value : Number(amount) * (units[unit] ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return Math.ceil(ms);
  throw new TypeError(
    `${what} takes a duration such as "90s", "2h" or "3d", or a number of milliseconds.`,
  );
}
