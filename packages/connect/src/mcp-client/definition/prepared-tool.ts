import type { JsonSchema, ObjectSchema, ToolKind } from "@haft/contract";

/** A converted tool: texts without hidden characters, schemas in draft 2020-12. */
export interface PreparedTool {
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly output?: JsonSchema;
  readonly kind: ToolKind;
  /** The server's own claim. It grants nothing. */
  readonly readOnly: boolean;
  /** Why the tool can't be used. */
  readonly fault?: string;
}
