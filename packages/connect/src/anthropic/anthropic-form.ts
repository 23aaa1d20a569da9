import { commonImageTypes, type ImageRule } from "../formats/carry-result.ts";
import type { NameRule } from "../formats/provider-names.ts";
import type { StrictRules, StrictTally } from "../formats/strict-schema.ts";

/** Anthropic's rule for tool names. */
export const anthropicNames: NameRule = { maxLength: 128, anyFirst: true };

/** The images that Anthropic accepts. */
export const anthropicImages: ImageRule = {
  types: commonImageTypes,
  maxLength: 5 * 1024 * 1024,
  maxSide: 8_000,
};

/** Anthropic's strict form. Its only bound is a `minItems` of 0 or 1. */
export const anthropicStrict: StrictRules = {
  allRequired: false,
  keeps: (keyword, value) => keyword === "minItems" && (value === 0 || value === 1),
};

/** The remaining budget for strict tools of one request. */
export interface StrictBudget {
  /** Takes a tool's share of the budget. Returns whether it fitted. */
  take(tally: Readonly<StrictTally>): boolean;
}

// A request beyond these limits is refused, because its grammar would be too large.
const limits = { tools: 20, optional: 24, unions: 16 };

/** Creates the budget of one request. */
export function createStrictBudget(): StrictBudget {
  let { tools, optional, unions } = limits;
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
