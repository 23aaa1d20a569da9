import type { LspOperation } from "./lsp-arguments.ts";

/** A location in a file. Lines and characters count from 1, and an emoji is one character. */
export interface LocationEntry {
  /** Relative to the workspace root if inside it. */
  path: string;
  line: number;
  /** Absent if the file can't be read. */
  character?: number;
  /** Last line, if it is another one. */
  end_line?: number;
  /** Text of the line, trimmed. */
  text?: string;
}

/** A declared symbol. */
export interface SymbolEntry {
  name: string;
  kind: string;
  /** Only for symbols of the whole workspace. */
  path?: string;
  line: number;
  end_line?: number;
  container?: string;
  detail?: string;
}

/** A diagnostic of a language server. */
export interface DiagnosticEntry {
  severity: "error" | "warning" | "information" | "hint";
  line: number;
  character: number;
  end_line?: number;
  message: string;
  source?: string;
  code?: string;
}

/** Result of the `lsp` tool. */
export interface LspData {
  operation: LspOperation;
  /** The server's name. */
  server: string;
  locations?: LocationEntry[];
  symbols?: SymbolEntry[];
  hover?: string;
  diagnostics?: DiagnosticEntry[];
  truncated?: true;
  message?: string;
}
