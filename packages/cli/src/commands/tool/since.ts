import type { CommandInput } from "../../command.ts";
import { optionText } from "../../environments/option-values.ts";
import { UsageError } from "../../usage-error.ts";

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Reads `--since`: a duration such as `2h`, or a time such as `2026-01-31T12:00:00Z`. */
export function requireSince(input: CommandInput): Date {
  const text = optionText(input, "since");
  if (text === undefined) {
    throw new UsageError("Give --since, such as --since 2h or --since 2026-01-31T12:00:00Z.");
  }
  const [, digits, unit] = /^(\d{1,6})([smhd])$/u.exec(text) ?? [];
  if (digits !== undefined) {
    return new Date(Date.now() - Number(digits) * unitMs[unit as keyof typeof unitMs]);
  }
  const moment = /^\d{4}-\d{2}-\d{2}/u.test(text) ? new Date(text) : undefined;
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new UsageError(
    `--since takes a duration (30m, 2h, 7d) or a time (2026-01-31T12:00:00Z), not ${JSON.stringify(text)}.`,
  );
}
