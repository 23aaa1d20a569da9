import type { Isolation } from "./envelope.ts";
import type { ExecutionProfile } from "./execution-profile.ts";
import type { JsonSchema, ObjectSchema } from "./json-schema.ts";
import type { RequirementSet } from "./requirements/requirement-set.ts";
import type { Runtime } from "./runtime.ts";

/** Where a tool comes from. */
export type ToolSource = "builtin" | "mcp" | "toolbox" | "module" | "published";

/** How a client shows a call. The kinds are those of ACP. */
export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "other";

/**
 * How much of a result reaches the model. `field` names the property of the data that is cut. Without
 * it, the data is measured as JSON and replaced by `{ head }` if it exceeds the limit.
 */
export type OutputLimit =
  | { readonly bytes: number; readonly field?: string }
  | { readonly entries: number; readonly field: string };

/**
 * Whether a result stays in the conversation. `ephemeral`: only in this turn. `persisted`: always; a
 * result that is too long is an error. `persisted-preferred`: if it is short enough.
 */
export type ResultPersistence = "ephemeral" | "persisted-preferred" | "persisted";

/** Another name of a tool, with its own schema if the arguments differ. */
export interface ToolAlias<Args> {
  readonly name: string;
  readonly description?: string;
  /** Default: the tool's parameters. */
  readonly parameters?: ObjectSchema;
  /** Converts arguments that fit `parameters` to the tool's own. */
  toArguments?(args: Readonly<Record<string, unknown>>): Args;
}

/** Where a call will run. */
export interface PrepareEnvironment {
  readonly roots: readonly string[];
  /** The user's home directory, if the computer has one. */
  readonly home: string | undefined;
}

/** A function that a model can call, with its description and requirements. */
export interface Tool<Args = unknown, Data = unknown> {
  /** `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, which is valid for every model provider. */
  readonly id: string;
  /** Written for the model: what the tool does, what it does not do, when to use it. */
  readonly description: string;
  readonly parameters: ObjectSchema;
  /** The schema of the data. */
  readonly output?: JsonSchema;
  readonly requires: RequirementSet;
  readonly kind: ToolKind;
  readonly source: ToolSource;
  /** Without a profile, the tool conflicts with all calls. */
  readonly execution?: ExecutionProfile<Args>;
  /** Time limit, restarted by every progress report. Default: 120,000. */
  readonly timeoutMs?: number | "none";
  readonly maxOutput?: OutputLimit;
  readonly aliases?: readonly ToolAlias<Args>[];
  /** Whether results stay in the conversation. Default: left to the caller. */
  readonly persistence?: ResultPersistence;
  /** What confines the tool, if it runs neither in this process nor in the runtime's shell. */
  readonly isolation?: Isolation | undefined;
  /** For toolbox tools: the subagent types that may use it, or `all`. */
  readonly subagentTypes?: readonly string[];
  /** Normalises arguments before they are validated. Must not throw. */
  prepare?(args: Args, environment: PrepareEnvironment): Args;
  /** Returns its data, or throws a `ToolError`. */
  execute(args: Args, runtime: Runtime): Promise<Data>;
}
