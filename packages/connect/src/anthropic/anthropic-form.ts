import { commonImageTypes, type ImageRule } from "../formats/carry-result.ts";
import type { NameRule } from "../formats/provider-names.ts";
import type { StrictRules, StrictTally } from "../formats/strict-schema.ts";

/** What Anthropic takes for a name. */
export const anthropicNames: NameRule = { longest: 128, anyFirst: true };

/** What Anthropic takes for an image. */
export const anthropicImages: ImageRule = {
  types: commonImageTypes,
  longest: 5 * 1024 * 1024,
  widest: 8_000,
};

/** What Anthropic's strict form asks for: of bounds it knows that a list has something in it. */
export const anthropicStrict: StrictRules = {
  allRequired: false,
  keeps: (keyword, value) => keyword === "minItems" && (value === 0 || value === 1),
};

/** What the strict tools of one request may still have. */
export interface StrictBudget {
  /** Whether one more tool fits; if so, it is taken in. */
  take(tally: Readonly<StrictTally>): boolean;
}

// Past these a request is refused, for its grammar would be too large.
const most = { tools: 20, optional: 24, unions: 16 };

/** Counts what the strict tools of one request have together. */
export function createStrictBudget(): StrictBudget {
  let { tools, optional, unions } = most;
  return {
    take: (tally) => {
      if (tools < 1 || optional < tally.optional || unions < tally.unions) return false;
      tools--;
      optional -= tally.optional;
      unions -= tally.unions;
      return true;
    },
  };
}
