/** Formats a timestamp of the API for people: `2026-01-31 12:00:00`. */
export function showTime(moment: string | undefined): string {
  return moment === undefined ? "-" : moment.slice(0, 19).replace("T", " ");
}

/** Formats a version: `1.2.3`. */
export function showVersion(version: {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}
