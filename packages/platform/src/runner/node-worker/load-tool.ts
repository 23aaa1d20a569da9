import { isBuiltin, registerHooks } from "node:module";
import { constants, Script } from "node:vm";
import type { Artifact } from "../artifact.ts";

/** The function that a tool consists of. */
export type RunTool = (parameters: Readonly<Record<string, unknown>>) => unknown;

/** A tool's code, ready to be evaluated. */
export interface ToolCode {
  /** Whether the modules can be evaluated again, with new state. */
  readonly isRepeatable: boolean;
  /** Evaluates the modules. Throws what they throw, or an error if there is no `runTool`. */
  evaluate(): Promise<RunTool>;
}

/** The tool's URL in stack traces and in `import.meta.url`. There is no such file. */
export const toolUrl = "file:///tool/tool.js";

let source: string | undefined;

/** Prepares loading before a tool is needed. `onBuiltin` is told which modules of Node it imports. */
export async function prepareLoading(onBuiltin: (name: string) => void): Promise<void> {
  registerHooks({
    resolve: (specifier, context, next) => {
      if (isBuiltin(specifier)) onBuiltin(specifier);
      return specifier.startsWith(toolUrl)
        ? { url: specifier, format: "module", shortCircuit: true }
        : next(specifier, context);
    },
    load: (url, context, next) =>
      url.startsWith(toolUrl)
        ? { format: "module", source: source ?? "", shortCircuit: true }
        : next(url, context),
  });
  const nothing = `${toolUrl}?nothing`;
  await import(nothing);
}

/** Compiles a tool's code. */
export function compileTool({ code, format }: Extract<Artifact, { runtime: "node" }>): ToolCode {
  return format === "commonjs" ? compileScript(code) : compileModule(code);
}

const start = '(function (require, module, exports) { "use strict"; ';

// Node never releases a module that it has loaded, so CommonJS is used to evaluate code repeatedly.
function compileScript(code: string): ToolCode {
  const script = new Script(`${start}${code}\n})`, {
    filename: toolUrl,
    columnOffset: -start.length,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const define = script.runInThisContext() as (...args: unknown[]) => void;
  return {
    isRepeatable: true,
    evaluate: async () => {
      const module: { exports: Readonly<Record<string, unknown>> } = { exports: {} };
      define(requireBuiltin, module, module.exports);
      return findEntry(module.exports);
    },
  };
}

function compileModule(code: string): ToolCode {
  return {
    isRepeatable: false,
    evaluate: async () => {
      source = code;
      const module = (await import(toolUrl)) as Readonly<Record<string, unknown>>;
      source = undefined;
      return findEntry(module);
    },
  };
}

function findEntry({ runTool }: Readonly<Record<string, unknown>>): RunTool {
  if (typeof runTool === "function") return runTool as RunTool;
  throw new TypeError("The tool does not export a function runTool. Export it from its entry.");
}

function requireBuiltin(name: string): unknown {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) return found;
  throw new Error(`The module ${name} is not part of the tool. Import it statically.`);
}
