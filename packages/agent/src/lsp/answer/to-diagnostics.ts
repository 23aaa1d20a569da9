import type { Diagnostic } from "vscode-languageserver-types";
import { fromUnits, type PositionEncoding } from "../client/position-encoding.ts";
import type { DiagnosticEntry } from "../lsp-data.ts";
import { toLines } from "./source-lines.ts";
import { toEnd } from "./to-locations.ts";

const severities = ["error", "warning", "information", "hint"] as const;
const mostMessage = 2_000;

/** What a server says of a file, what is worst first and then by line. */
export function toDiagnostics(
  diagnostics: readonly Diagnostic[],
  text: string,
  encoding: PositionEncoding,
): DiagnosticEntry[] {
  const lines = toLines(text);
  return diagnostics
    .map(({ range, severity = 1, message, source, code }) => ({
      severity: severities[severity - 1] ?? "error",
      line: range.start.line + 1,
      character: fromUnits(lines[range.start.line] ?? "", range.start.character, encoding) + 1,
      ...toEnd(range),
      message: toText(message).slice(0, mostMessage),
      ...(source !== undefined && { source }),
      ...(code !== undefined && { code: `${code}` }),
    }))
    .sort(
      (a, b) =>
        severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
        a.line - b.line ||
        a.character - b.character,
    );
}

// From version 3.18 of the protocol on it may be marked up.
function toText(message: unknown): string {
  if (typeof message === "string") return message;
  const { value } = (message ?? {}) as { readonly value?: unknown };
  return typeof value === "string" ? value : "";
}
