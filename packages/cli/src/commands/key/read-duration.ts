import type { CommandInput } from "../../command.ts";
import { optionText } from "../../environments/option-values.ts";
import { UsageError } from "../../usage-error.ts";

const forms: Readonly<Record<string, (count: string) => string>> = {
  s: (count) => `PT${count}S`,
  m: (count) => `PT${count}M`,
  h: (count) => `PT${count}H`,
  d: (count) => `P${count}D`,
  w: (count) => `P${count}W`,
  y: (count) => `P${count}Y`,
};

/** A time as ISO 8601 says it, from that or from `90d`; `undefined` if the option was not given. */
export function readDuration(input: CommandInput, name: string): string | undefined {
  const text = optionText(input, name);
  if (text === undefined || /^P[\dT]/u.test(text)) return text;
  const [, count = "", unit = ""] = /^(\d{1,6})([smhdwy])$/u.exec(text) ?? [];
  const form = forms[unit];
  if (form !== undefined) return form(count);
  throw new UsageError(
    `--${name} takes a time such as 12h, 90d or 1y, not ${JSON.stringify(text)}.`,
  );
}
