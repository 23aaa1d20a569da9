import { InvalidRequest, Problem } from "../problem.ts";
import { fromDuration } from "./duration.ts";

const longestDays = 3_650;

/** Reads a duration out of a body, in milliseconds. Throws if it is none, too short or too long. */
export function requireDuration(field: string, text: string, leastMs = 1_000): number {
  const duration = fromDuration(text);
  if (duration === undefined) {
    throw new InvalidRequest([
      {
        loc: ["body", field],
        msg: "This must be a duration of ISO 8601, such as P30D or PT1H",
        type: "time_delta_parsing",
        input: text.slice(0, 100),
      },
    ]);
  }
  if (duration < leastMs || duration > longestDays * 86_400_000) {
    throw new Problem(
      400,
      `${field} must be from ${leastMs / 1_000} seconds to ${longestDays} days; ${text.slice(0, 100)} is not.`,
    );
  }
  return duration;
}
