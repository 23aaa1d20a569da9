/** The operations of the `lsp` tool. */
export type LspOperation =
  | "definition"
  | "references"
  | "implementation"
  | "type_definition"
  | "symbols"
  | "workspace_symbols"
  | "hover"
  | "diagnostics";

/** Arguments of the `lsp` tool. */
export interface LspArguments {
  operation: LspOperation;
  path: string;
  line?: number;
  character?: number;
  symbol?: string;
  query?: string;
  limit?: number;
}
