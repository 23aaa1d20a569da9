import type { Diagnostic, DiagnosticSeverity } from "vscode-languageserver-types";
import type { LanguageClient } from "./language-client.ts";

const command = "typescript.tsserverRequest";

/**
 * Whether behind a server is a compiler that can be asked. `typescript-language-server` says by itself
 * what is wrong, but in parts, for no version, and nothing while nothing is.
 */
export function hasTsserver({ offers }: LanguageClient): boolean {
  const { commands } = offers.optionsOf("workspace/executeCommand");
  return Array.isArray(commands) && commands.includes(command);
}

/** Asks the compiler what is wrong in a file that it was shown. */
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
  /** Counted from 1. */
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
