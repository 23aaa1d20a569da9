import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "@haft/contract";

/** Where a module in Python begins. */
export interface PythonEntry {
  readonly type: "python";
  readonly directory: string;
  /** What to import, `package.module`. */
  readonly module: string;
  /** The function in it. */
  readonly attribute: string;
}

const group = "amplifier.modules";

/** Finds the entry point that pyproject.toml names; `undefined` where there is no such file. */
export async function findPythonEntry(
  directory: string,
  module: string,
): Promise<PythonEntry | undefined> {
  const path = join(directory, "pyproject.toml");
  if (!existsSync(path)) return undefined;
  const points = readEntryPoints(await parse(path));
  const names = Object.keys(points);
  const name = names.includes(module) ? module : names.length === 1 ? names[0] : undefined;
  if (name === undefined) {
    const why =
      names.length === 0
        ? `has no entry point. Add [project.entry-points."${group}"] with ${module} = "my_tool:mount"`
        : `has the entry points ${names.join(", ")}. Name the module of the plan after one of them`;
    throw new ToolError("invalid-arguments", `${path} ${why}.`);
  }
  const point = String(points[name]);
  const [, imported, attribute] = /^\s*([\w.]+)\s*:\s*([\w.]+)\s*(?:\[.*\])?$/u.exec(point) ?? [];
  if (imported === undefined || attribute === undefined) {
    throw new ToolError(
      "invalid-arguments",
      `${path}: the entry point ${name} is ${JSON.stringify(point)}, not MODULE:FUNCTION such as "my_tool:mount".`,
    );
  }
  return { type: "python", directory, module: imported, attribute };
}

async function parse(path: string): Promise<unknown> {
  const { parse: parseToml } = await import("smol-toml");
  try {
    return parseToml(await readFile(path, "utf8"));
  } catch (error) {
    const [what] = (error as Error).message.split("\n", 1);
    throw new ToolError("invalid-arguments", `${path} is not TOML: ${what}.`);
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
