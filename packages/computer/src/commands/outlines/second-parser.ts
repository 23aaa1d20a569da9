import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import type { Parser, Tree } from "web-tree-sitter";

/** Loads the second parser, once per process; `undefined` when that is done. */
export function loadSecondParser(): undefined | Promise<void> {
  if (parser !== undefined) return undefined;
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Parses a script with the second parser; `undefined` before it is loaded. Delete the tree after use. */
export function parseSecond(source: string): Tree | undefined {
  return parser?.parse(source) ?? undefined;
}

let parser: Parser | undefined;
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  // Loaded only where commands are read.
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init({ locateFile: () => findFile("web-tree-sitter/web-tree-sitter.wasm") });
  const bash = Language.loadSync(
    compileOnce(readFileSync(findFile("tree-sitter-bash/tree-sitter-bash.wasm"))),
  );
  parser = new Parser().setLanguage(bash);
}

// TypeScript declares it for browsers only.
declare const WebAssembly: { readonly Module: new (binary: Uint8Array) => object };

const tieringFlags = ["wasm-tier-up", "wasm-dynamic-tiering", "wasm-lazy-compilation"];

/**
 * Compiles with V8's baseline compiler only. Optimising the lexer, one huge function, takes half a
 * gigabyte and gains nothing. The flags apply to the whole process, so they are set for exactly one
 * synchronous compilation, which for that reason is not lazy.
 */
function compileOnce(binary: Uint8Array): object {
  // A host that chose how WebAssembly is compiled keeps its choice.
  const chosen = [...process.execArgv, process.env.NODE_OPTIONS ?? ""].join(" ");
  if (/wasm|liftoff/u.test(chosen)) return new WebAssembly.Module(binary);
  for (const flag of tieringFlags) setFlagsFromString(`--no-${flag}`);
  try {
    return new WebAssembly.Module(binary);
  } finally {
    for (const flag of tieringFlags) setFlagsFromString(`--${flag}`);
  }
}

// The bundled program is not where this file's package is.
function findFile(name: string): string {
  const require = createRequire(import.meta.url);
  try {
    return require.resolve(name);
  } catch {
    return createRequire(require.resolve("@haft/computer")).resolve(name);
  }
}
