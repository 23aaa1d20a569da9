import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Returns the path of a file in this package's `assets`. */
export function findAsset(name: string): string {
  // Sources and compiled files are equally deep. A program that bundles this file finds the package by
  // its name.
  const beside = new URL(`../assets/${name}`, import.meta.url);
  if (existsSync(beside)) return fileURLToPath(beside);
  const installed = createRequire(import.meta.url).resolve("@haft/connect/modules");
  return fileURLToPath(new URL(`../../assets/${name}`, pathToFileURL(installed)));
}
