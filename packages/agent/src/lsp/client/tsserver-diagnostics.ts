import type { Diagnostic, DiagnosticSeverity } from "vscode-languageserver-types";
import type { LanguageClient } from "./language-client.ts";

const command = "typescript.tsserverRequest";

/**
 * Tells whether a server can forward requests to the compiler. `typescript-language-server` publishes
 * diagnostics only in parts, without a version, and not at all if there are none.
 */
export function hasTsserver({ offers }: LanguageClient): boolean {
  const { commands } = offers.optionsOf("workspace/executeCommand");
  return Array.isArray(commands) && commands.includes(command);
}

/** Requests the diagnostics of an open file from the compiler. */
export async function askTsserver(
  client: LanguageClient,
  uri: string,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const kind of ["syntactic", "semantic", "suggestion"]) {
    const answer = await client.request<CompilerAnswer | null>(
      "workspace/executeCommand",
      { command, arguments: [`${kind}DiagnosticsSync`, { file: uri }] },
      signal,
    );
    for (const said of answer?.body ?? []) found.push(toDiagnostic(said));
  }
  return found;
}

interface CompilerAnswer {
  readonly body?: readonly CompilerDiagnostic[];
}

interface CompilerDiagnostic {
  /** From 1. */
  readonly start: { readonly line: number; readonly offset: number };
  readonly end: { readonly line: number; readonly offset: number };
  readonly text: string;
  readonly code?: number;
  readonly category: string;
  readonly source?: string;
}

const severities: Readonly<Record<string, DiagnosticSeverity>> = {
  error: 1,
  warning: 2,
  message: 3,
  suggestion: 4,
};

function toDiagnostic({
  start,
  end,
  text,
  code,
  category,
  source,
}: CompilerDiagnostic): Diagnostic {
  return {
    range: {
      start: { line: start.line - 1, character: start.offset - 1 },
      end: { line: end.line - 1, character: end.offset - 1 },
    },
    message: text,
    severity: severities[category] ?? 1,
    source: source ?? "typescript",
    ...(code !== undefined && { code }),
  };
}
