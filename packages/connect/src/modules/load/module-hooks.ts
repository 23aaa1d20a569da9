import { readFileSync } from "node:fs";
import {
  createRequire,
  type LoadFnOutput,
  type LoadHookSync,
  type ResolveFnOutput,
  type ResolveHookSync,
  registerHooks,
} from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripTypes } from "./strip-types.ts";

let registered = false;

/**
 * Lets modules be written in TypeScript wherever they are, and import the packages of this program
 * that they have no copy of. What can be had without is left to Node.
 */
export function registerModuleHooks(): void {
  if (registered) return;
  registered = true;
  registerHooks({ resolve, load });
}

const resolve: ResolveHookSync = (specifier, context, next): ResolveFnOutput => {
  try {
    return next(specifier, context);
  } catch (error) {
    const own = specifier.startsWith("@haft/") ? findOwn(specifier) : undefined;
    if (own === undefined) throw error;
    return { url: own, shortCircuit: true };
  }
};

// Seen from here, which is this package or the program that it was put into.
function findOwn(specifier: string): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(specifier)).href;
  } catch {
    return undefined;
  }
}

// Node takes the types out of every file but those of installed packages.
const load: LoadHookSync = (url, context, next): LoadFnOutput => {
  if (!/^file:.*\/node_modules\/.*\.[cm]?ts$/u.test(url)) return next(url, context);
  const source = stripTypes(readFileSync(fileURLToPath(url), "utf8"));
  const isCommon = context.format?.startsWith("commonjs") ?? url.endsWith(".cts");
  return { format: isCommon ? "commonjs" : "module", source, shortCircuit: true };
};
