import type { Inspector } from "./inspector.ts";

/** Finds the tests that take a variable's name, and so run what stands in its index. */
export const inspectTest: Inspector = (_, { words }) => ({
  findings: words.some((word) => word === "-v" || word === "-R")
    ? [{ word: 0, kind: "doubts", why: "a test of a variable can run what is in its name" }]
    : [],
});
