import { pathToFileURL } from "node:url";
import { type Mount, ToolError } from "@haft/contract";
import { registerModuleHooks } from "./module-hooks.ts";

/** Imports a module and finds its `mount`. */
export async function importModule(file: string): Promise<Mount> {
  registerModuleHooks();
  const exported = (await import(pathToFileURL(file).href)) as Exported;
  // What is written in CommonJS comes as the default export.
  const mount = exported.mount ?? (exported.default as Exported | undefined)?.mount;
  if (typeof mount === "function") return mount as Mount;
  throw new ToolError(
    "invalid-arguments",
    `${file} exports no function mount. Write: export async function mount(coordinator, config) { … }`,
  );
}

interface Exported {
  readonly mount?: unknown;
  readonly default?: unknown;
}
