import type { Diagnostic } from "vscode-languageserver-types";
import { fromUnits, type PositionEncoding } from "../client/position-encoding.ts";
import type { DiagnosticEntry } from "../lsp-data.ts";
import { toLines } from "./source-lines.ts";
import { toEnd } from "./to-locations.ts";

const severities = ["error", "warning", "information", "hint"] as const;
const maxMessageLength = 2_000;

/** Converts diagnostics, sorted by severity and then by line. */
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
      message: toText(message).slice(0, maxMessageLength),
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

// Since version 3.18 of the protocol it may be Markdown.
function toText(message: unknown): string {
  if (typeof message === "string") return message;
  const { value } = (message ?? {}) as { readonly value?: unknown };
  return typeof value === "string" ? value : "";
}
