import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ToolError } from "@haft/contract";
import { findPythonEntry, type PythonEntry } from "./find-python-entry.ts";

/** Where a module begins. */
export type ModuleEntry = { readonly type: "script"; readonly file: string } | PythonEntry;

/** Finds where the module of a directory begins; a file is its own entry. */
export async function findEntry(place: string, module: string): Promise<ModuleEntry> {
  if (statSync(place).isFile()) return { type: "script", file: place };
  const file = findScript(place);
  if (file !== undefined) return { type: "script", file };
  const python = await findPythonEntry(place, module);
  if (python !== undefined) return python;
  throw new ToolError(
    "invalid-arguments",
    `${place} has no entry. Name it in package.json, {"type": "module", "exports": "./src/index.ts"}, or for Python in pyproject.toml, [project.entry-points."amplifier.modules"].`,
  );
}

function findScript(directory: string): string | undefined {
  const manifest = readManifest(join(directory, "package.json"));
  const named = toEntry(manifest?.exports) ?? manifest?.main;
  if (typeof named === "string") {
    const file = resolve(directory, named);
    const found = [file, `${file}.js`, `${file}.ts`, join(file, "index.js")].find(isFile);
    if (found !== undefined) return found;
    throw new ToolError(
      "invalid-arguments",
      `${join(directory, "package.json")} names the entry ${named}, and it is not there. Build the package, or name a file that is.`,
    );
  }
  return ["index.ts", "index.js"].map((name) => join(directory, name)).find(isFile);
}

interface Manifest {
  readonly exports?: unknown;
  readonly main?: unknown;
}

function readManifest(path: string): Manifest | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof manifest === "object" && manifest !== null) return manifest;
  } catch (error) {
    throw new ToolError("invalid-arguments", `${path} is not JSON: ${(error as Error).message}.`);
  }
  throw new ToolError("invalid-arguments", `${path} is not an object.`);
}

const conditions = ["node", "import", "module-sync", "require", "default"];

// The way in which Node reads `exports`, for the package itself.
function toEntry(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (Array.isArray(exports)) return exports.map(toEntry).find((entry) => entry !== undefined);
  if (typeof exports !== "object" || exports === null) return undefined;
  if (Object.keys(exports).some((key) => key.startsWith("."))) {
    return toEntry((exports as Record<string, unknown>)["."]);
  }
  for (const [condition, value] of Object.entries(exports)) {
    const entry = conditions.includes(condition) ? toEntry(value) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
