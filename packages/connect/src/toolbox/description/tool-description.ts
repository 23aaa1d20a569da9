import type { ObjectSchema } from "@haft/contract";

/** What a script says of itself. It is JSON: it is kept on disk. */
export interface ToolDescription {
  /** How it says it, and so wants its arguments. */
  readonly format: "json" | "text";
  /** The name that it gives itself, if it does. */
  readonly name?: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  /** The kinds of subagents that may use it. */
  readonly subagentTypes?: readonly string[];
}
