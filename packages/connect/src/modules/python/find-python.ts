import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import type { Environment } from "../plan/expand-environment.ts";

/** The interpreter for a module: that of its own virtual environment, else the system's. */
export function findPython(directory: string, environment: Environment): string {
  const own = [".venv", "venv"].map((name) => join(directory, name, "bin", "python3"));
  const found = own.find(existsSync) ?? findOnPath(environment.PATH ?? "");
  if (found !== undefined) return found;
  throw new ToolError(
    "unavailable",
    "It is written in Python, and there is no python3 on the PATH. Install Python 3.9 or later.",
  );
}

function findOnPath(path: string): string | undefined {
  return path
    .split(":")
    .filter((directory) => directory.startsWith("/"))
    .map((directory) => join(directory, "python3"))
    .find(canRun);
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
