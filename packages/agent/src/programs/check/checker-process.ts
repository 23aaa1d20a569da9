import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DiskComputer } from "@haft/computer";
import { isPlainObject } from "@haft/contract/internal";
import { createFrameReader, toFrame } from "../../lsp/client/message-frames.ts";
import { type Diagnostic, type Position, readDiagnostics } from "./diagnostic.ts";
import type { Compiler } from "./find-compiler.ts";

/** A running compiler that checks one program after the other. */
export interface CheckerProcess {
  /**
   * Checks a program, the body of an async function, against declarations. Rejects if the process has ended.
   * Places are those in the body.
   */
  check(code: string, declarations: string): Promise<readonly Diagnostic[]>;
  /** Resolves when the process has ended. Never rejects. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** The name of the file with the declarations. */
export const declarationsName = "tools.d.ts";
const programName = "program.ts";

const megabyte = 1024 * 1024;
// Address space that the compiler maps at its start, and what it can use beyond that.
const ownMb = 1_280;
const memoryMb = 512;

const configuration = {
  compilerOptions: {
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    moduleDetection: "force",
    // What Node 24 has. `esnext` as a whole has more.
    lib: ["es2025", "esnext.array", "esnext.collection", "esnext.disposable", "esnext.error"],
    types: [],
    // Models write loosely typed programs, and types are removed before they run.
    strict: false,
    erasableSyntaxOnly: true,
    allowUnreachableCode: true,
    allowUnusedLabels: true,
    noEmit: true,
    noResolve: true,
    skipLibCheck: true,
  },
  typeAcquisition: { enable: false },
  files: [programName, declarationsName],
};

/**
 * Starts the compiler as a language server, in a sandbox that has the compiler's own files and a directory with
 * its settings. The documents exist only as messages.
 */
export async function startChecker(
  computer: Pick<DiskComputer, "startProgram">,
  compiler: Compiler,
  directory: string,
): Promise<CheckerProcess> {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(configuration));
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let lastRequest = 0;
  let version = 0;
  const takeBytes = createFrameReader({
    message: (body) => take(JSON.parse(body)),
    noise: () => {},
  });
  const started = await computer.startProgram({
    argv: [compiler.path, "--lsp", "--stdio"],
    cwd: directory,
    environment: { GOMEMLIMIT: `${memoryMb / 2}MiB` },
    reads: [compiler.directory, directory],
    writes: [],
    limits: { processes: 64, memoryBytes: (ownMb + memoryMb) * megabyte, fileBytes: megabyte },
    isUntrusted: true,
    onOutput: (bytes) => {
      takeBytes(bytes);
      return undefined;
    },
    onErrors: () => undefined,
  });
  const ended = started.ended.then(() => {
    for (const { reject } of open.values()) reject(new Error("the compiler ended"));
    open.clear();
  });

  const send = (message: object): void => {
    // Requests are rejected when the process ends.
    void started.write(toFrame({ jsonrpc: "2.0", ...message })).catch(() => {});
  };
  const request = async (method: string, params: object): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    lastRequest += 1;
    open.set(lastRequest, answer);
    send({ id: lastRequest, method, params });
    started.keepAlive(true);
    try {
      return await answer.promise;
    } finally {
      if (open.size === 0) started.keepAlive(false);
    }
  };
  const take = (message: unknown): void => {
    if (!isPlainObject(message)) return;
    const { id, method, result, error } = message;
    if (method !== undefined) {
      // It asks for settings and registers what it wants to be told.
      if (id !== undefined) send({ id, result: null });
      return;
    }
    const answer = open.get(id as number);
    open.delete(id as number);
    if (error === undefined) answer?.resolve(result);
    else answer?.reject(new Error(JSON.stringify(error)));
  };
  const uriOf = (name: string): string => pathToFileURL(join(directory, name)).href;
  const shown = new Map<string, { readonly text: string; readonly version: number }>();
  /** Shows the compiler a file. Returns the number of the text. */
  const show = (name: string, toText: (version: number) => string): number => {
    const before = shown.get(name);
    if (before !== undefined && before.text === toText(before.version)) return before.version;
    version += 1;
    // The compiler drops a message with half a character.
    const text = toText(version).toWellFormed();
    shown.set(name, { text, version });
    const uri = uriOf(name);
    if (before === undefined) {
      const textDocument = { uri, languageId: "typescript", version, text };
      send({ method: "textDocument/didOpen", params: { textDocument } });
    } else {
      const params = { textDocument: { uri, version }, contentChanges: [{ text }] };
      send({ method: "textDocument/didChange", params });
    }
    return version;
  };
  const check = async (code: string, declarations: string): Promise<readonly Diagnostic[]> => {
    const declared = show(declarationsName, (at) => `interface $d${at} {}\n${declarations}`);
    let prefix = "";
    const current = show(programName, (at) => {
      prefix = toPrefix(at, declared);
      return `${prefix}${code}\n})()`;
    });
    const textDocument = { uri: uriOf(programName) };
    const report = await request("textDocument/diagnostic", { textDocument });
    const found = readDiagnostics(report) ?? [];
    // The report must be about these texts, whatever became of a message: one name is known to be missing.
    const isMissing = (name: string): boolean =>
      found.some(({ message }) => message.startsWith(`Cannot find name '${name}'`));
    if (!isMissing(`$p${current}`) || isMissing(`$d${declared}`)) {
      throw new Error("the compiler sent no report");
    }
    const toCode = ({ line, character }: Position): Position =>
      line === 0
        ? { line, character: Math.max(0, character - prefix.length) }
        : { line, character };
    return found
      .filter(({ start }) => start.line > 0 || start.character >= prefix.length)
      .map((each) => ({ ...each, start: toCode(each.start), end: toCode(each.end) }));
  };

  const textDocument = {
    diagnostic: { relatedInformation: true },
    publishDiagnostics: { relatedInformation: true },
  };
  await request("initialize", {
    processId: null,
    rootUri: pathToFileURL(directory).href,
    capabilities: { textDocument },
  });
  send({ method: "initialized", params: {} });
  // Loads the declarations of JavaScript's own objects.
  await check("", "");
  return { check, ended, stop: () => started.stop() };
}

// The names prove which texts a report is about.
function toPrefix(program: number, declarations: number): string {
  return `export {};type $ = $p${program} | $d${declarations};(async () => {`;
}
