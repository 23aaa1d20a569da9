import type { LspOperation } from "./lsp-arguments.ts";

/** A place in a file. Lines and characters are counted from 1, an emoji as one character. */
export interface LocationEntry {
  /** Relative to the workspace where it lies in it. */
  path: string;
  line: number;
  /** Only where the file can be read. */
  character?: number;
  /** Where it is another line. */
  end_line?: number;
  /** The line, without the space around it. */
  text?: string;
}

/** A name that is declared somewhere. */
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

/** Something that a language server has to say about a file. */
export interface DiagnosticEntry {
  severity: "error" | "warning" | "information" | "hint";
  line: number;
  character: number;
  end_line?: number;
  message: string;
  source?: string;
  code?: string;
}

/** What a language server answered. */
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
