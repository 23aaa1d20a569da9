import type { ResultEnvironment } from "../dialects/dialect.ts";

/** How a call went that was given nothing and took no time. */
export function makeResultEnvironment(
  overrides: Partial<ResultEnvironment> = {},
): ResultEnvironment {
  return {
    roots: ["/w"],
    home: undefined,
    given: {},
    durationMs: 0,
    outputPath: undefined,
    ...overrides,
  };
}
