import type { RequirementSet } from "@haft/contract";
import type { Rule } from "../rules/rule.ts";

/** What an agent declares about itself. */
export interface Manifest {
  readonly name?: string;
  readonly requires?: RequirementSet;
  /**
   * Further directories that `{workspace}` stands for: absolute, from home (`~/`), or relative to the
   * workspace. They stay inside the host's ceiling and the parent's grant.
   */
  readonly roots?: readonly string[];
  /** Rules of the agent. No session or project can override their denials. */
  readonly rules?: readonly Rule[];
}
