import { readFileSync } from "node:fs";
import {
  createRequire,
  type LoadFnOutput,
  type LoadHookSync,
  type ResolveFnOutput,
  type ResolveHookSync,
  registerHooks,
  stripTypeScriptTypes,
} from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

let registered = false;

/**
 * Lets modules be written in TypeScript anywhere and import `@haft/*` packages without a copy of
 * their own. Everything else is left to Node.
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

// Resolved from this package, or from the program that it is bundled into.
function findOwn(specifier: string): string | undefined {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(specifier)).href;
  } catch {
    return undefined;
  }
}

// Node strips types everywhere except in installed packages.
const load: LoadHookSync = (url, context, next): LoadFnOutput => {
  if (!/^file:.*\/node_modules\/.*\.[cm]?ts$/u.test(url)) return next(url, context);
  const source = stripTypes(readFileSync(fileURLToPath(url), "utf8"));
  const isCommon = context.format?.startsWith("commonjs") ?? url.endsWith(".cts");
  return { format: isCommon ? "commonjs" : "module", source, shortCircuit: true };
};

/** Strips the types of TypeScript and compiles syntax beyond types, such as enums. */
function stripTypes(source: string): string {
  return withoutNotice(() => {
    try {
      return stripTypeScriptTypes(source);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX")
        throw error;
      return stripTypeScriptTypes(source, { mode: "transform" });
    }
  });
}

// Node warns once that this function is experimental. A user who mounts a module can do nothing
// about that.
function withoutNotice<Value>(work: () => Value): Value {
  const { emitWarning } = process;
  process.emitWarning = (): void => {};
  try {
    return work();
  } finally {
    process.emitWarning = emitWarning;
  }
}
