import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { findPythonEntry, type PythonEntry } from "./find-python-entry.ts";

/** The entry point of a module. */
export type ModuleEntry = { readonly type: "script"; readonly file: string } | PythonEntry;

/** Finds the entry point of a module's directory. A file is its own entry point. */
export async function findEntry(path: string, module: string): Promise<ModuleEntry> {
  if (statSync(path).isFile()) return { type: "script", file: path };
  const file = findScript(path);
  if (file !== undefined) return { type: "script", file };
  const python = await findPythonEntry(path, module);
  if (python !== undefined) return python;
  throw new ToolError(
    "invalid-arguments",
    `${path} has no entry point. Add it to package.json, such as {"type": "module", "exports": "./src/index.ts"}, or for Python to pyproject.toml under [project.entry-points."amplifier.modules"].`,
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
      `${join(directory, "package.json")} names the entry point ${named}, which does not exist. Build the package or correct the entry point.`,
    );
  }
  return ["index.ts", "index.js"].map((name) => join(directory, name)).find(isFile);
}

interface Manifest {
  readonly exports?: unknown;
  readonly main?: unknown;
}

function readManifest(path: string): Manifest | undefined {
  const found = readUntrustedFile(path, { within: dirname(path), maxBytes: maxManifestBytes });
  if (found.bytes === undefined) {
    if (found.isMissing) return undefined;
    throw new ToolError(
      "invalid-arguments",
      `${path} ${found.fault}. Replace it with a regular file.`,
    );
  }
  try {
    const manifest: unknown = JSON.parse(found.bytes.toString("utf8"));
    if (typeof manifest === "object" && manifest !== null) return manifest;
  } catch (error) {
    throw new ToolError(
      "invalid-arguments",
      `${path} is not valid JSON: ${toErrorMessage(error)}.`,
    );
  }
  throw new ToolError("invalid-arguments", `${path} must contain a JSON object.`);
}

const maxManifestBytes = 4 * 1024 * 1024;
const conditions = ["node", "import", "module-sync", "require", "default"];

// Resolves `exports` as Node does, for the package's own root.
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
