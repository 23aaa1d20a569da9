import { expect, it } from "vitest";
import { fromDuration } from "./require-duration.ts";

it.each([
  ["PT1S", 1_000],
  ["PT0.5S", 500],
  ["PT1,5M", 90_000],
  ["PT1H30M", 5_400_000],
  ["P1D", 86_400_000],
  ["P1W", 604_800_000],
  ["P1M", 30 * 86_400_000],
  ["P1Y", 365 * 86_400_000],
  ["P1Y1M1W1DT1H1M1S", (365 + 30 + 7 + 1) * 86_400_000 + 3_661_000],
  ["PT0S", 0],
])("reads %s", (text, milliseconds) => {
  expect(fromDuration(text)).toBe(milliseconds);
});

it.each(["", "P", "PT", "P1", "1D", "P1DT", "P1H", "PT1D", "P-1D", "-P1D", "p1d", "P1D ", "P1D1Y"])(
  "does not read %j",
  (text) => {
    expect(fromDuration(text)).toBeUndefined();
  },
);
