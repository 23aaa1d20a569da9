import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** A folder with a tool's project. */
export interface ToolFolder {
  readonly directory: string;
  /** From where it was looked for; `.` for that folder itself. */
  readonly path: string;
  readonly name: string;
  readonly runtime: "node" | "python";
}

const skipped = new Set(["node_modules", "dist", "coverage", "__pycache__", "venv"]);
const deepest = 8;

/** Finds the tools below a directory, sorted by path, and says what is wrong with a `tool.json`. */
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
    if (depth === deepest) return;
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
  try {
    const { name, runtime = "node" } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly name?: unknown;
      readonly runtime?: unknown;
    };
    if (typeof name !== "string") return `${file} has no name`;
    if (runtime !== "node" && runtime !== "python") {
      return `${file}: runtime is node or python, not ${JSON.stringify(runtime)}`;
    }
    return { directory, path, name, runtime };
  } catch (error) {
    return `${file} can't be read: ${(error as Error).message}`;
  }
}
