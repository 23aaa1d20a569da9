import { Cron } from "croner";
import { InvalidRequest } from "../problem.ts";

/** The times that a cron expression names. All are milliseconds. */
export interface CronTimes {
  /** Returns the first time after a moment; `undefined` if there is none. */
  next(after: number): number | undefined;
  /** Returns the last of the times from `first` to `until`, and how many there are, up to 100. */
  between(first: number, until: number): { readonly last: number; readonly count: number };
}

const maxCharacters = 200;
const maxCounted = 100;
const nicknames = ["@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"];
const field = /^[\dA-Za-z*,/#-]+$/u;

/**
 * Parses a cron expression of five fields, or a name such as `@daily`, in a time zone. Throws an
 * `InvalidRequest`.
 */
export function parseCron(text: string, timeZone: string): CronTimes {
  if (!isTimeZone(timeZone)) {
    throw invalid(
      "time_zone",
      "It is not a time zone. Use a name such as Europe/Berlin, America/New_York or UTC.",
    );
  }
  const pattern = text.trim();
  const problem = findProblem(pattern);
  if (problem !== undefined) throw invalid("cron", problem);
  let cron: Cron;
  try {
    cron = new Cron(pattern, { timezone: timeZone, mode: "5-part" });
  } catch (error) {
    const why = (error as Error).message.replace(/^CronPattern: /u, "");
    throw invalid("cron", `${why}${why.endsWith(".") ? "" : "."} ${example}`);
  }
  const next = (after: number): number | undefined => cron.nextRun(new Date(after))?.getTime();
  return {
    next,
    between: (first, until) => {
      // The library looks at whole seconds, and before the given one.
      const [found] = cron.previousRuns(1, new Date(until + 1_000));
      const last = Math.max(first, found?.getTime() ?? first);
      let count = 1;
      for (let at = next(first); at !== undefined && at <= last; at = next(at)) {
        count += 1;
        if (count === maxCounted) break;
      }
      return { last, count };
    },
  };
}

const example =
  "Use five fields (minute, hour, day of the month, month, day of the week), such as '0 6 * * MON-FRI', or a name such as @daily.";

function findProblem(pattern: string): string | undefined {
  if (pattern.startsWith("@")) {
    if (nicknames.includes(pattern.toLowerCase())) return undefined;
    return `It is not a known name. Known are: ${nicknames.join(", ")}.`;
  }
  const fields = pattern.split(/\s+/u);
  if (pattern.length <= maxCharacters && fields.length === 5) {
    const wrong = fields.find((each) => !field.test(each));
    return wrong === undefined
      ? undefined
      : `${JSON.stringify(wrong)} has a character that can't be used. ${example}`;
  }
  return `It is not a cron expression. ${example}`;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function invalid(name: string, msg: string): InvalidRequest {
  return new InvalidRequest([{ loc: ["body", name], msg, type: "value_error" }]);
}
