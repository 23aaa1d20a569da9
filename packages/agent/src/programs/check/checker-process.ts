import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DiskComputer } from "@haft/computer";
import { connectCompiler } from "./compiler-connection.ts";
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

const maxStartMs = 10_000;
const maxDiagnostics = 200;

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
  const { request, notify, ended, stop } = await connectCompiler(computer, compiler, directory);
  let version = 0;
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
      notify("textDocument/didOpen", { textDocument });
    } else {
      notify("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
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
      .slice(0, maxDiagnostics)
      .map((each) => ({ ...each, start: toCode(each.start), end: toCode(each.end) }));
  };

  const textDocument = {
    diagnostic: { relatedInformation: true },
    publishDiagnostics: { relatedInformation: true },
  };
  const timer = setTimeout(() => void stop(), maxStartMs);
  try {
    await request("initialize", {
      processId: null,
      rootUri: pathToFileURL(directory).href,
      capabilities: { textDocument },
    });
    notify("initialized", {});
    // Loads what most programs use of JavaScript's own objects.
    await check("await Promise.all([1].map(async (each) => each));", "");
  } catch (error) {
    await stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return { check, ended, stop };
}

// The names prove which texts a report is about.
function toPrefix(program: number, declarations: number): string {
  return `export {};type $ = $p${program} | $d${declarations};(async () => {`;
}
