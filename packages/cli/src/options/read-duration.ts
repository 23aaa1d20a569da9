import type { CommandInput } from "../command.ts";
import { optionText } from "../environments/option-values.ts";
import { UsageError } from "../usage-error.ts";

const forms: Readonly<Record<string, (count: string) => string>> = {
  s: (count) => `PT${count}S`,
  m: (count) => `PT${count}M`,
  h: (count) => `PT${count}H`,
  d: (count) => `P${count}D`,
  w: (count) => `P${count}W`,
  y: (count) => `P${count}Y`,
};

/** Reads a duration such as `90d` or `P90D` and returns it in ISO 8601; `undefined` if it was not given. */
export function readDuration(input: CommandInput, name: string): string | undefined {
  const text = optionText(input, name);
  if (text === undefined || /^P[\dT]/u.test(text)) return text;
  const [, count = "", unit = ""] = shortForm.exec(text) ?? [];
  const form = forms[unit];
  if (form !== undefined) return form(count);
  throw notDuration(name, text);
}

/** Reads a duration such as `12h` or `90d` and returns it in milliseconds. */
export function readMilliseconds(input: CommandInput, name: string): number | undefined {
  const text = optionText(input, name);
  if (text === undefined) return undefined;
  const [, count = "", unit = ""] = shortForm.exec(text) ?? [];
  const seconds = secondsOf[unit];
  if (seconds !== undefined) return Number(count) * seconds * 1000;
  throw notDuration(name, text);
}

const shortForm = /^(\d{1,6})([smhdwy])$/u;

const secondsOf: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  y: 31_536_000,
};

function notDuration(name: string, text: string): UsageError {
  return new UsageError(
    `--${name} takes a duration such as 12h, 90d or 1y, not ${JSON.stringify(text)}.`,
  );
}
