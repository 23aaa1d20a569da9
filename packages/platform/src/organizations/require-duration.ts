import { InvalidRequest, Problem } from "../problem.ts";

const maxDays = 3_650;

/** Parses a duration of a body to milliseconds. Throws if it is invalid, too short or too long. */
export function requireDuration(field: string, text: string, minMs = 1_000): number {
  const duration = fromDuration(text);
  if (duration === undefined) {
    throw new InvalidRequest([
      {
        loc: ["body", field],
        msg: "Expected an ISO 8601 duration such as P30D or PT1H.",
        type: "time_delta_parsing",
        input: text.slice(0, 100),
      },
    ]);
  }
  if (duration < minMs || duration > maxDays * 86_400_000) {
    throw new Problem(
      400,
      `${field} must be from ${minMs / 1_000} seconds to ${maxDays} days; ${text.slice(0, 100)} is not.`,
    );
  }
  return duration;
}

const second = 1_000;
const day = 86_400 * second;

// A year counts as 365 days, a month as 30.
const units = [365 * day, 30 * day, 7 * day, day, 3_600 * second, 60 * second, second];

const number = "(\\d+(?:[.,]\\d+)?)";
const form = new RegExp(
  `^P(?=\\d|T\\d)(?:${number}Y)?(?:${number}M)?(?:${number}W)?(?:${number}D)?` +
    `(?:T(?=\\d)(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
);

/** Parses an ISO 8601 duration such as `P30D` or `PT1H` to milliseconds. Returns `undefined` for other text. */
export function fromDuration(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  return units.reduce((sum, unit, index) => {
    const amount = found[index + 1];
    return amount === undefined ? sum : sum + Number(amount.replace(",", ".")) * unit;
  }, 0);
}
