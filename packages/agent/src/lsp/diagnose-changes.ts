import type { DiskComputer } from "@haft/computer";
import { compileRequirements, type FileSystem } from "@haft/contract";
import type { Diagnostic } from "vscode-languageserver-types";
import { loadDocument } from "./answer/load-document.ts";
import { showPath } from "./answer/show-path.ts";
import { toDiagnostics } from "./answer/to-diagnostics.ts";
import { diagnose } from "./client/diagnose.ts";
import type { DiagnosticEntry } from "./lsp-data.ts";
import type { UseServer } from "./server-request.ts";

/** How long diagnostics are waited for. */
export interface DiagnoseOptions {
  readonly signal: AbortSignal;
  /** For a server that has loaded the project; 3,000 unless said. */
  readonly timeoutMs?: number | undefined;
}

/** What has changed, and who can tell what is wrong there. */
export interface ChangedFiles {
  readonly use: UseServer;
  readonly computer: DiskComputer;
  readonly paths: readonly string[];
}

const mostFiles = 20;
const mostLines = 20;
const startMs = 10_000;

/** What is wrong in changed files, in lines for a model. Where nobody can tell, it is silent. */
export async function diagnoseChanges(
  { use, computer, paths }: ChangedFiles,
  { signal, timeoutMs = 3_000 }: DiagnoseOptions,
): Promise<string | undefined> {
  const overall = AbortSignal.any([signal, AbortSignal.timeout(startMs + timeoutMs)]);
  const files = openFiles(computer, overall);
  const root = computer.roots[0] ?? "/";
  const said = await Promise.all(
    [...new Set(paths.map((path) => computer.identify(path)))].slice(0, mostFiles).map((path) =>
      inspect({ use, files, path, timeoutMs }, overall).then(
        (entries) => entries.map((entry) => toLine(showPath(path, root), entry)),
        // A file that is gone, a language without a server, a server that is too slow.
        (): string[] => [],
      ),
    ),
  );
  const lines = said.flat();
  if (lines.length === 0) return undefined;
  const left = lines.length - mostLines;
  return [
    "Language servers say about what was changed:",
    ...lines.slice(0, left > 0 ? mostLines - 1 : mostLines),
    ...(left > 0 ? [`… and ${left + 1} more; use lsp with diagnostics to see them.`] : []),
  ].join("\n");
}

interface Inspection {
  readonly use: UseServer;
  readonly files: FileSystem;
  readonly path: string;
  readonly timeoutMs: number;
}

async function inspect(
  { use, files, path, timeoutMs }: Inspection,
  signal: AbortSignal,
): Promise<readonly DiagnosticEntry[]> {
  return use(
    {
      path,
      work: async (client) => {
        const mostMs = client.isWarm ? timeoutMs : startMs;
        const patience = { signal: AbortSignal.any([signal, AbortSignal.timeout(mostMs)]), mostMs };
        await client.catchUp(path);
        const document = await loadDocument(path, files);
        const { diagnostics } = await diagnose(client, document, patience);
        const grave = diagnostics.filter(isGrave);
        return toDiagnostics(grave, document.text, client.encoding);
      },
    },
    signal,
  );
}

function isGrave({ severity = 1 }: Diagnostic): boolean {
  return severity <= 2;
}

function toLine(
  path: string,
  { line, character, severity, message, ...of }: DiagnosticEntry,
): string {
  const origin = [of.source, of.code].filter((part) => part !== undefined).join(" ");
  const text = message.replaceAll(/\s*\n\s*/gu, " ").slice(0, 300);
  return `${path}:${line}:${character} ${severity}: ${text}${origin === "" ? "" : ` (${origin})`}`;
}

function openFiles(computer: DiskComputer, signal: AbortSignal): FileSystem {
  return computer.openFiles({
    callId: "diagnostics",
    grant: compileRequirements({ fs: { read: ["{workspace}/**"] } }, computer.variables),
    journal: { record: () => {}, latest: async () => [] },
    changed: () => {},
    isDenied: () => false,
    isNamed: () => false,
    signal,
  });
}
