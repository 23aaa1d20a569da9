import type { DiskComputer } from "@haft/computer";
import { compileRequirements, type FileSystem } from "@haft/contract";
import type { Diagnostic } from "vscode-languageserver-types";
import { loadDocument } from "./answer/load-document.ts";
import { showPath } from "./answer/show-path.ts";
import { toDiagnostics } from "./answer/to-diagnostics.ts";
import { diagnose } from "./client/diagnose.ts";
import type { DiagnosticEntry } from "./lsp-data.ts";
import type { UseServer } from "./server-request.ts";

/** How long to wait for diagnostics. */
export interface DiagnoseOptions {
  readonly signal: AbortSignal;
  /** For a server that has loaded the project, in milliseconds. Default: 3,000. */
  readonly timeoutMs?: number | undefined;
}

/** The changed files and how to reach their language servers. */
export interface ChangedFiles {
  readonly use: UseServer;
  readonly computer: DiskComputer;
  readonly paths: readonly string[];
}

const maxFiles = 20;
const maxLines = 20;
const startMs = 10_000;

/** Returns the diagnostics of changed files as text for a model. Files without a server are skipped. */
export async function diagnoseChanges(
  { use, computer, paths }: ChangedFiles,
  { signal, timeoutMs = 3_000 }: DiagnoseOptions,
): Promise<string | undefined> {
  const overall = AbortSignal.any([signal, AbortSignal.timeout(startMs + timeoutMs)]);
  const files = openFiles(computer, overall);
  const root = computer.roots[0] ?? "/";
  const said = await Promise.all(
    [...new Set(paths.map((path) => computer.identify(path)))].slice(0, maxFiles).map((path) =>
      inspect({ use, files, path, timeoutMs }, overall).then(
        (entries) => entries.map((entry) => toLine(showPath(path, root), entry)),
        // The file is gone, its language has no server, or the server is too slow.
        (): string[] => [],
      ),
    ),
  );
  const lines = said.flat();
  if (lines.length === 0) return undefined;
  const left = lines.length - maxLines;
  return [
    "Diagnostics of the changed files:",
    ...lines.slice(0, left > 0 ? maxLines - 1 : maxLines),
    ...(left > 0 ? [`… and ${left + 1} more.`] : []),
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
        const maxMs = client.isWarm ? timeoutMs : startMs;
        const patience = { signal: AbortSignal.any([signal, AbortSignal.timeout(maxMs)]), maxMs };
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
