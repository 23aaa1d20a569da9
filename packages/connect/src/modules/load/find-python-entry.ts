import { join } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";

/** The entry point of a Python module. */
export interface PythonEntry {
  readonly type: "python";
  readonly directory: string;
  /** The module to import, `package.module`. */
  readonly module: string;
  /** The function to call in it. */
  readonly attribute: string;
}

const group = "amplifier.modules";

/** Finds the entry point in pyproject.toml. Returns `undefined` if there is no such file. */
export async function findPythonEntry(
  directory: string,
  module: string,
): Promise<PythonEntry | undefined> {
  const path = join(directory, "pyproject.toml");
  const found = readUntrustedFile(path, { within: directory, maxBytes: maxManifestBytes });
  if (found.bytes === undefined) {
    if (found.isMissing) return undefined;
    throw new ToolError(
      "invalid-arguments",
      `${path} ${found.fault}. Replace it with a regular file.`,
    );
  }
  const points = readEntryPoints(await parse(found.bytes.toString("utf8"), path));
  const names = Object.keys(points);
  const name = names.includes(module) ? module : names.length === 1 ? names[0] : undefined;
  if (name === undefined) {
    const why =
      names.length === 0
        ? `has no entry point. Add [project.entry-points."${group}"] with ${module} = "my_tool:mount"`
        : `has the entry points ${names.join(", ")}. Use one of them as the module name in the plan`;
    throw new ToolError("invalid-arguments", `${path} ${why}.`);
  }
  const point = String(points[name]);
  const [, imported, attribute] = /^\s*([\w.]+)\s*:\s*([\w.]+)\s*(?:\[.*\])?$/u.exec(point) ?? [];
  if (imported === undefined || attribute === undefined) {
    throw new ToolError(
      "invalid-arguments",
      `${path}: the entry point ${name} is ${JSON.stringify(point)}. It must be MODULE:FUNCTION, such as "my_tool:mount".`,
    );
  }
  return { type: "python", directory, module: imported, attribute };
}

const maxManifestBytes = 4 * 1024 * 1024;

async function parse(text: string, path: string): Promise<unknown> {
  const { parse: parseToml } = await import("smol-toml");
  try {
    return parseToml(text);
  } catch (error) {
    const [what] = toErrorMessage(error).split("\n", 1);
    throw new ToolError("invalid-arguments", `${path} is not valid TOML: ${what}.`);
  }
}

function readEntryPoints(manifest: unknown): Readonly<Record<string, unknown>> {
  let at = manifest;
  for (const key of ["project", "entry-points", group]) {
    if (typeof at !== "object" || at === null) return {};
    at = (at as Record<string, unknown>)[key];
  }
  return typeof at === "object" && at !== null ? (at as Record<string, unknown>) : {};
}
