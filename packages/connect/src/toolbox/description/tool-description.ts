import type { ObjectSchema } from "@haft/contract";

/** A script's description of itself. It is stored on disk as JSON. */
export interface ToolDescription {
  /** The format of the description, and so of the arguments that the script reads. */
  readonly format: "json" | "text";
  /** The name that the script gives itself. */
  readonly name?: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
  /** The types of subagents that may use it. */
  readonly subagentTypes?: readonly string[];
}
