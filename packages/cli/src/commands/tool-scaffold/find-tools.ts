import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";

/** A folder with a tool's project. */
export interface ToolFolder {
  readonly directory: string;
  /** Relative to the start of the search; `.` for that folder itself. */
  readonly path: string;
  readonly name: string;
  readonly runtime: "node" | "python";
}

const skipped = new Set(["node_modules", "dist", "coverage", "__pycache__", "venv"]);
const maxDepth = 8;

/** Finds the tools in and below a directory, sorted by path, and the faults of invalid `tool.json` files. */
export function findTools(start: string): {
  readonly tools: readonly ToolFolder[];
  readonly faults: readonly string[];
} {
  const tools: ToolFolder[] = [];
  const faults: string[] = [];
  const visit = (directory: string, depth: number): void => {
    const entries = readdirSync(directory, { withFileTypes: true });
    if (entries.some((entry) => entry.name === "tool.json" && entry.isFile())) {
      const found = readFolder(directory, start);
      if (typeof found === "string") faults.push(found);
      else tools.push(found);
    }
    if (depth === maxDepth) return;
    for (const { name, ...entry } of entries.map((each) => ({
      name: each.name,
      isDirectory: each.isDirectory(),
    }))) {
      if (!entry.isDirectory || name.startsWith(".") || skipped.has(name)) continue;
      visit(join(directory, name), depth + 1);
    }
  };
  visit(start, 0);
  tools.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { tools, faults };
}

function readFolder(directory: string, start: string): ToolFolder | string {
  const path = relative(start, directory) || ".";
  const file = join(directory, "tool.json");
  const found = readUntrustedFile(file, { within: directory, maxBytes: 1024 * 1024 });
  if (found.bytes === undefined) return `${file} ${found.fault}`;
  try {
    const { name, runtime = "node" } = JSON.parse(found.bytes.toString("utf8")) as {
      readonly name?: unknown;
      readonly runtime?: unknown;
    };
    if (typeof name !== "string") return `${file} has no name`;
    if (runtime !== "node" && runtime !== "python") {
      return `${file}: runtime must be node or python, not ${JSON.stringify(runtime)}`;
    }
    return { directory, path, name, runtime };
  } catch (error) {
    return `${file} cannot be read: ${(error as Error).message}`;
  }
}
