import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { Problem } from "../problem.ts";
import { findPython, type PythonProgram } from "../runner/find-python.ts";
import type { SandboxedProgram } from "./run-in-sandbox.ts";

/** The programs of this machine that builds use. */
export interface BuildTools {
  readonly node: string;
  /** The compiler's script, run with `node`. */
  readonly tsc: string;
  readonly esbuild: string;
  /** The type declarations of Node's modules. */
  readonly nodeTypes: string;
  /** Paths outside the build that its programs can read or must not see. */
  pathsFor(
    runtime: "node" | "python",
  ): Promise<Required<Pick<SandboxedProgram, "reads" | "hides">>>;
  /** npm's script, run with `node`. Throws a `Problem` 503 if there is none. */
  npm(): string;
  /** The registry of Node packages. */
  npmRegistry(): Promise<URL>;
  /** The Python interpreter itself, not a launcher. Throws a `Problem` 503 if there is none. */
  python(): Promise<string>;
  /** The directory of pip, run with `python`. Throws a `Problem` 503 if there is none. */
  pip(): Promise<string>;
  /** The index of Python packages. */
  readonly pythonIndex: URL;
}

const run = promisify(execFile);

/** Finds the programs that builds use. npm, Python and pip are looked up on first use. */
export function findBuildTools(environment: NodeJS.ProcessEnv = process.env): BuildTools {
  const require = createRequire(import.meta.url);
  const node = process.execPath;
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  const esbuild = findEsbuild(require);
  const nodeTypes = join(dirname(require.resolve("@types/node/package.json")), "index.d.ts");
  const npm = once(() => findNpm(environment, node));
  const python = once(() => requirePython(environment));
  const reads = once(() => [
    ...new Set([...[tsc, nodeTypes, ...orNone(npm)].flatMap(withDependencies), packageOf(esbuild)]),
  ]);
  return {
    node,
    tsc,
    esbuild,
    nodeTypes,
    pathsFor: async (runtime) =>
      runtime === "node" ? { reads: reads(), hides: [] } : await python(),
    npm,
    npmRegistry: once(() => findRegistry(environment, { node, npm })),
    python: async () => (await python()).executable,
    pip: async () => requirePip(await python()),
    pythonIndex: new URL(environment.HAFT_PYTHON_INDEX ?? "https://pypi.org/simple/"),
  };
}

/** Returns the native program, so that no script has to start it. */
function findEsbuild(require: NodeJS.Require): string {
  const own = createRequire(require.resolve("esbuild/package.json"));
  const native = `@esbuild/${process.platform}-${process.arch}/bin/esbuild`;
  try {
    return own.resolve(native);
  } catch {
    return join(dirname(require.resolve("esbuild/package.json")), "bin/esbuild");
  }
}

function packageOf(path: string): string {
  const real = realpathSync(path);
  for (let at = dirname(real); at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
  }
  return real;
}

/**
 * Returns the directory of a file's package and those of its dependencies, but no other packages.
 */
function withDependencies(path: string): readonly string[] {
  const directory = packageOf(path);
  const require = createRequire(join(directory, "package.json"));
  const { dependencies, optionalDependencies } = require("./package.json") as Dependencies;
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  const found = names.flatMap((name) => {
    const paths = (require.resolve.paths(name) ?? []).map((path) => join(path, name));
    return paths.find((path) => existsSync(join(path, "package.json"))) ?? [];
  });
  const outside = found.filter((path) => !path.startsWith(`${directory}/`));
  return [directory, ...outside.flatMap((path) => withDependencies(join(path, "package.json")))];
}

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function orNone(npm: () => string): readonly string[] {
  try {
    return [npm()];
  } catch {
    return [];
  }
}

function findNpm({ PATH = "" }: NodeJS.ProcessEnv, node: string): string {
  const directories = [dirname(node), ...PATH.split(delimiter)].filter((path) => path !== "");
  for (const directory of directories) {
    const beside = join(directory, "../lib/node_modules/npm/bin/npm-cli.js");
    if (existsSync(beside)) return realpathSync(beside);
    const found = join(directory, "npm");
    if (existsSync(found) && realpathSync(found).endsWith("npm-cli.js")) return realpathSync(found);
  }
  throw new Problem(
    503,
    "The project has dependencies, but npm is not installed on this server. Install npm on the server.",
  );
}

async function findRegistry(
  environment: NodeJS.ProcessEnv,
  { node, npm }: { readonly node: string; npm(): string },
): Promise<URL> {
  const { HAFT_NPM_REGISTRY } = environment;
  if (HAFT_NPM_REGISTRY !== undefined) return new URL(HAFT_NPM_REGISTRY);
  // Run in `/`, where no project's configuration applies.
  const { stdout } = await run(node, [npm(), "config", "get", "registry"], { cwd: "/" });
  return new URL(stdout.trim());
}

async function requirePython(environment: NodeJS.ProcessEnv): Promise<PythonProgram> {
  const python = await findPython(environment);
  if (python !== undefined) {
    return { ...python, reads: [...python.reads, ...(python.pip === null ? [] : [python.pip])] };
  }
  throw new Problem(
    503,
    "The project is written in Python, but python3 3.9 or later is not installed on this server. Install it on the server.",
  );
}

function requirePip({ pip }: PythonProgram): string {
  if (pip !== null) return pip;
  throw new Problem(
    503,
    "The project has dependencies, but this server's Python has no pip. Install pip on the server.",
  );
}

/** Caches a successful result. A failed lookup is tried again. */
function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    if (found !== undefined) return found.value;
    const value = find();
    found = { value };
    if (value instanceof Promise) value.catch(() => (found = undefined));
    return value;
  };
}
