import type { Isolation } from "./envelope.ts";
import type { ExecutionProfile } from "./execution-profile.ts";
import type { JsonSchema, ObjectSchema } from "./json-schema.ts";
import type { RequirementSet } from "./requirements/requirement-set.ts";
import type { Runtime } from "./runtime.ts";

/** Where a tool comes from. */
export type ToolSource = "builtin" | "mcp" | "toolbox" | "module" | "published";

/** What a client's interface shows a call as; the taxonomy is ACP's. */
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
 * How much of a result reaches the model. `field` names the property of the data that is cut;
 * without it the whole data is measured as JSON, and what exceeds the limit becomes `{ head }`.
 */
export type OutputLimit =
  | { readonly bytes: number; readonly field?: string }
  | { readonly entries: number; readonly field: string };

/**
 * What becomes of a result in later turns. `ephemeral`: it is seen in this turn only. `persisted`: it
 * stays, and one that is too long to stay is an error. `persisted-preferred`: it stays if it is short
 * enough, else it is ephemeral.
 */
export type ResultPersistence = "ephemeral" | "persisted-preferred" | "persisted";

/** Another name for a tool, with its own schema where the arguments differ. */
export interface ToolAlias<Args> {
  readonly name: string;
  readonly description?: string;
  /** The alias's own parameters; the tool's if absent. */
  readonly parameters?: ObjectSchema;
  /** From arguments that fit `parameters` to the tool's own. */
  toArguments?(args: Readonly<Record<string, unknown>>): Args;
}

/** What `prepare` may know of where the call will run. */
export interface PrepareEnvironment {
  readonly roots: readonly string[];
  /** The user's home directory, if the computer has one. */
  readonly home: string | undefined;
}

/** A callable capability: self-describing, with its needs declared, and one function that does it. */
export interface Tool<Args = unknown, Data = unknown> {
  /** `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`: legal for every model provider. */
  readonly id: string;
  /** Written for the model: what it does, what it does not, when to use it. */
  readonly description: string;
  readonly parameters: ObjectSchema;
  /** What the data looks like. */
  readonly output?: JsonSchema;
  readonly requires: RequirementSet;
  readonly kind: ToolKind;
  readonly source: ToolSource;
  /** None: conflicts with everything. */
  readonly execution?: ExecutionProfile<Args>;
  /** 120,000 unless said; every progress starts it anew. */
  readonly timeoutMs?: number | "none";
  readonly maxOutput?: OutputLimit;
  readonly aliases?: readonly ToolAlias<Args>[];
  /** What becomes of its results in later turns; nothing is said about them unless it is declared. */
  readonly persistence?: ResultPersistence;
  /** What confines its work, where that is neither done in this process nor by the runtime's shell. */
  readonly isolation?: Isolation | undefined;
  /** For toolbox tools: the subagent types that may use it, or `all`. */
  readonly subagentTypes?: readonly string[];
  /** Normalises arguments before they are validated. Must not throw. */
  prepare?(args: Args, environment: PrepareEnvironment): Args;
  /** Returns its data, or throws a `ToolError`. */
  execute(args: Args, runtime: Runtime): Promise<Data>;
}
