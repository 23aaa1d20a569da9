import type { RequirementSet } from "@haft/contract";
import type { Rule } from "../rules/rule.ts";

/** What an agent declares about itself. */
export interface Manifest {
  readonly name?: string;
  readonly requires?: RequirementSet;
  /** Rules no session or project can soften where they deny. */
  readonly rules?: readonly Rule[];
}
