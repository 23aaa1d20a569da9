import type { RequirementSet } from "@haft/contract";
import type { Rule } from "../rules/rule.ts";

/** What an agent declares about itself. */
export interface Manifest {
  readonly name?: string;
  readonly requires?: RequirementSet;
  /** Rules of the agent. No session or project can override their denials. */
  readonly rules?: readonly Rule[];
}
