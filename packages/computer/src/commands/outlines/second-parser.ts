import { createRequire } from "node:module";
import type { Parser, Tree } from "web-tree-sitter";

/** Loads the second parser, once for all; `undefined` when that is done. */
export function loadSecondParser(): undefined | Promise<void> {
  if (parser !== undefined) return undefined;
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** What the second parser makes of a script; `undefined` before it is loaded. To be deleted. */
export function parseSecond(source: string): Tree | undefined {
  return parser?.parse(source) ?? undefined;
}

let parser: Parser | undefined;
let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  // Not needed, and not loaded, where no commands are read.
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init({ locateFile: () => findFile("web-tree-sitter/web-tree-sitter.wasm") });
  const bash = await Language.load(findFile("tree-sitter-bash/tree-sitter-bash.wasm"));
  parser = new Parser().setLanguage(bash);
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
