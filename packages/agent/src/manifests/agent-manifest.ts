import type { RequirementSet } from "@haft/contract";
import type { Rule } from "@haft/core";
import type { AgentLimits } from "../loop/agent-limits.ts";

/** Who may have an agent act: a person (`primary`), another agent (`subagent`), or both. */
export type AgentMode = "primary" | "subagent" | "all";

/** What an agent is, as its file says. */
export interface AgentManifest {
  /** `^[a-z][a-z0-9_-]{0,39}$` */
  readonly name: string;
  /** For whoever chooses among agents: what it does and when to use it. */
  readonly description: string;
  /** `subagent` unless said. */
  readonly mode: AgentMode;
  /** The system prompt: the file's body. */
  readonly prompt: string;
  /** `PROVIDER/MODEL`; the parent's unless said. */
  readonly model?: string | undefined;
  /** Native tools by any of their names; all unless said. */
  readonly tools?: readonly string[] | undefined;
  /** Whether it has the tools of MCP servers; only without `tools` unless said. */
  readonly allowMcp?: boolean | undefined;
  /** Whether it has toolbox scripts; only without `tools` unless said. */
  readonly allowToolbox?: boolean | undefined;
  /** What it declares beside its tools. */
  readonly requires?: RequirementSet | undefined;
  /** Rules that nobody below it softens. */
  readonly rules?: readonly Rule[] | undefined;
  readonly limits?: AgentLimits | undefined;
  /** Whether what it does as a subagent can be looked at; true unless said. Else only its answer is seen. */
  readonly isInspectable: boolean;
  /** Whether it can also be called as a tool of its own name. */
  readonly isTool: boolean;
  /** Whether others are not told of it: it serves those that know its name. False unless said. */
  readonly isHidden?: boolean | undefined;
  /** Where it was read: a path, or `shipped`. */
  readonly origin: string;
}

/** Every agent there is, by name. The project's go before the user's, and those before the shipped. */
export interface AgentManifests {
  get(name: string): AgentManifest | undefined;
  list(): readonly AgentManifest[];
  /** Files that could not be read as manifests, each with the reason and the remedy. */
  readonly warnings: readonly string[];
}
