import { filter, validRange } from "@renovatebot/pep440";
import { InvalidRequest } from "../problem.ts";
import type { Bit } from "../store/schema.ts";
import type { VersionNumber } from "./resolved-version.ts";
import { toNumber, toText } from "./version-text.ts";

/** A version among those that a constraint chooses from. */
export interface ListedVersion extends VersionNumber {
  readonly deprecated: Bit;
  /** Whether only its exact number names it. */
  readonly candidate: Bit;
  /** Whether `latest` names it. */
  readonly isLatest: boolean;
}

/** Names versions of a tool. */
export interface VersionConstraint {
  /**
   * Those that it names, in the order in which they came. Deprecated ones too, except for `latest`.
   * Only an exact number names a candidate.
   */
  select<Version extends ListedVersion>(versions: readonly Version[]): readonly Version[];
}

// What people write is short. What is long is meant to keep us busy.
const maxCharacters = 200;

/**
 * Understands `1.2.3`, `latest`, and constraints in the manner of PEP 440 such as `>=1.2,<2`. Throws
 * an `InvalidRequest` about the input at `loc` for anything else.
 */
export function toConstraint(text: string, loc: readonly string[]): VersionConstraint {
  const trimmed = text.trim();
  if (trimmed === "latest")
    return { select: (versions) => versions.filter(({ isLatest }) => isLatest) };
  const number = toNumber(trimmed);
  if (number !== undefined) {
    return { select: (versions) => versions.filter((each) => compareNumbers(each, number) === 0) };
  }
  if (trimmed === "" || text.length > maxCharacters || !validRange(trimmed)) {
    throw new InvalidRequest([{ loc, msg: describe(trimmed), type: "value_error" }]);
  }
  return {
    select: (versions) => {
      // None of ours is a preview, so those need no second look.
      const released = versions.filter(({ candidate }) => candidate === 0);
      const matching = new Set(filter(released.map(toText), trimmed, { prereleases: true }));
      return released.filter((each) => matching.has(toText(each)));
    },
  };
}

/** Less than zero if the first is the lower one. */
export function compareNumbers(one: VersionNumber, other: VersionNumber): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}

function describe(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  const partial = /^\d+(\.\d+)?$/.test(text) ? ` For every ${text} version write ==${text}.*.` : "";
  return (
    `${JSON.stringify(shown)} names no versions. Give a version such as 1.2.3, the word latest, or a ` +
    `constraint such as >=1.2,<2 or ~=1.4 or ==1.2.*.${partial}`
  );
}
