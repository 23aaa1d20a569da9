/** What can be asked of a language server. */
export type LspOperation =
  | "definition"
  | "references"
  | "implementation"
  | "type_definition"
  | "symbols"
  | "workspace_symbols"
  | "hover"
  | "diagnostics";

/** A question to the language server of a file. */
export interface LspArguments {
  operation: LspOperation;
  path: string;
  line?: number;
  character?: number;
  symbol?: string;
  query?: string;
  limit?: number;
}
