import type { ProjectItem } from "@haft/computer";
import type { RequirementSet } from "@haft/contract";
import type { Rule } from "@haft/core";
import type { AgentLimits } from "../loop/agent-limits.ts";

/** Who starts an agent: a person (`primary`), another agent (`subagent`), or either (`all`). */
export type AgentMode = "primary" | "subagent" | "all";

/** The manifest of an agent: the content of its file. */
export interface AgentManifest {
  /** `^[a-z][a-z0-9_-]{0,39}$` */
  readonly name: string;
  /** What it does and when to use it. Helps people and models choose an agent. */
  readonly description: string;
  /** Default: `subagent`. */
  readonly mode: AgentMode;
  /** The system prompt: the file's body. */
  readonly prompt: string;
  /** `PROVIDER/MODEL`, or a model class: `fast`, `strong` or `reasoning`. Default: the parent's. */
  readonly model?: string | undefined;
  /** Native tools by any of their names. Default: all. */
  readonly tools?: readonly string[] | undefined;
  /** Whether it has the tools of MCP servers. Default: true if `tools` is absent. */
  readonly allowMcp?: boolean | undefined;
  /** Whether it has toolbox scripts. Default: true if `tools` is absent. */
  readonly allowToolbox?: boolean | undefined;
  /** Requirements in addition to those of its tools. */
  readonly requires?: RequirementSet | undefined;
  /** Further directories that `{workspace}` stands for. */
  readonly roots?: readonly string[] | undefined;
  /** Rules that its subagents can't relax. */
  readonly rules?: readonly Rule[] | undefined;
  readonly limits?: AgentLimits | undefined;
  /** Whether its work as a subagent is visible. If not, only its answer is. Default: true. */
  readonly isInspectable: boolean;
  /** Whether it can also be called as a tool of its own name. */
  readonly isTool: boolean;
  /** Whether lists leave it out. It can still be started by name. Default: false. */
  readonly isHidden?: boolean | undefined;
  /** The path it was read from, or `shipped`. */
  readonly origin: string;
}

/** All agents by name. The project's take precedence over the user's, and those over the shipped ones. */
export interface AgentManifests {
  get(name: string): AgentManifest | undefined;
  list(): readonly AgentManifest[];
  /** One message for each file that is not a valid manifest, with the reason and what to do. */
  readonly warnings: readonly string[];
  /** The project's untrusted agent files. Their agents are not available. */
  readonly untrusted: readonly ProjectItem[];
}
