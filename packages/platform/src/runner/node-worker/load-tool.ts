import { registerHooks } from "node:module";

/** The function that a tool consists of. */
export type RunTool = (parameters: Readonly<Record<string, unknown>>) => unknown;

/** The tool's URL in stack traces and in `import.meta.url`. There is no such file. */
export const toolUrl = "file:///tool/tool.js";

let source: string | undefined;

/** Prepares loading before a tool is needed. */
export async function prepareLoading(): Promise<void> {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith(toolUrl)
        ? { url: specifier, format: "module", shortCircuit: true }
        : next(specifier, context),
    load: (url, context, next) =>
      url.startsWith(toolUrl)
        ? { format: "module", source: source ?? "", shortCircuit: true }
        : next(url, context),
  });
  const nothing = `${toolUrl}?nothing`;
  await import(nothing);
}

/**
 * Loads a tool's code as a module. Throws what the code throws, or an error if it has no `runTool`.
 */
export async function loadTool(code: string): Promise<RunTool> {
  source = code;
  const module = (await import(toolUrl)) as Readonly<Record<string, unknown>>;
  source = undefined;
  const run = module.runTool;
  if (typeof run === "function") return run as RunTool;
  throw new TypeError("The tool does not export a function runTool. Export it from its entry.");
}
