import type { ReadWord } from "@haft/core";

/** Why setting a variable may change what programs do; `undefined` if it is known to be harmless. */
export function judgeAssignment(name: string, value: ReadWord): string | undefined {
  if (value === undefined) return `the value of ${name} is not literal`;
  if (harmlessNames.test(name)) return undefined;
  if (localeNames.test(name) && /^[\w.@:-]*$/u.test(value)) return undefined;
  if (name === "TZ" && /^[A-Za-z][\w+/-]*$/u.test(value)) return undefined;
  return `${name} may change what programs do`;
}

const harmlessNames =
  /^(?:NODE_ENV|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|RUST_BACKTRACE|RUST_LOG|DEBUG|VERBOSE|PORT|HOST|COLUMNS|LINES|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GOOS|GOARCH|CGO_ENABLED|RAILS_ENV|RACK_ENV|APP_ENV|MIX_ENV|FLASK_ENV|FLASK_DEBUG|NEXT_TELEMETRY_DISABLED|DO_NOT_TRACK|BROWSERSLIST_IGNORE_OLD_DATA)$/u;

// These name files somewhere in the system, so a path in them is not harmless.
const localeNames = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TERM|COLORTERM)$/u;
