import { registerHooks } from "node:module";

/** The function that a tool consists of. */
export type RunTool = (parameters: Readonly<Record<string, unknown>>) => unknown;

/** What the tool's code is called in stack traces, and for itself. There is no such file. */
export const toolUrl = "file:///tool/tool.js";

let source: string | undefined;

/** Gets everything ready that loading needs, while there is time. */
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

/** Loads a tool's code: a real module. Throws what it throws, or says that it has no entry. */
export async function loadTool(code: string): Promise<RunTool> {
  source = code;
  const module = (await import(toolUrl)) as Readonly<Record<string, unknown>>;
  source = undefined;
  const run = module.runTool;
  if (typeof run === "function") return run as RunTool;
  throw new TypeError("The tool exports no function runTool. Export one from its entry.");
}
