import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The script that mounts modules in Python. */
export function findBridge(): string {
  // The sources and what is compiled of them lie equally deep. A program that this was put into
  // finds the package by its name.
  const beside = new URL("../../../assets/bridge.py", import.meta.url);
  if (existsSync(beside)) return fileURLToPath(beside);
  const installed = createRequire(import.meta.url).resolve("@haft/connect/modules");
  return fileURLToPath(new URL("../../assets/bridge.py", pathToFileURL(installed)));
}
