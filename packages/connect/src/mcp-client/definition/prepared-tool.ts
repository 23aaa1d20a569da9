import type { JsonSchema, ObjectSchema, ToolKind } from "@haft/contract";

/** A server's tool in our own terms: harmless to look at, and with schemas of draft 2020-12. */
export interface PreparedTool {
  readonly description: string;
  readonly parameters: ObjectSchema;
  readonly output?: JsonSchema;
  readonly kind: ToolKind;
  /** What the server says of itself. It grants nothing. */
  readonly readOnly: boolean;
  /** Why it can't be used. */
  readonly fault?: string;
}
