import fc from "fast-check";
import { expect, it } from "vitest";
import { matchLines } from "./match-lines.ts";
import { matchRepeated } from "./match-repeated.ts";

it("finds the same places as matchLines, whatever is whole", () => {
  const units = fc.constantFrom("a", "b", "\n", "\n", "\r\n", " ");
  const texts = fc.string({ unit: units, maxLength: 30 });
  const lines = fc.array(fc.constantFrom("", "a", "b", "a ", "ab"), { minLength: 3, maxLength: 5 });
  fc.assert(
    fc.property(
      texts,
      lines,
      fc.boolean(),
      fc.boolean(),
      (...[text, wanted, isFirstWhole, isLastWhole]) => {
        const rule = { fold: (line: string) => line.trimEnd(), isFirstWhole, isLastWhole };
        const folded = wanted.map(rule.fold);
        const endsWithBreak = wanted.at(-1) === "";
        expect(matchRepeated(text, { rule, folded, endsWithBreak })).toEqual(
          matchLines(text, wanted, rule),
        );
      },
    ),
    { numRuns: 3_000 },
  );
});
