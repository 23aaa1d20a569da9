import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { Problem } from "../problem.ts";

/** The programs that builds use, as they are on this machine. */
export interface BuildTools {
  readonly node: string;
  /** The compiler, to be run by `node`. */
  readonly tsc: string;
  readonly esbuild: string;
  /** What declares Node's own modules. */
  readonly nodeTypes: string;
  /** Directories that all of them need; every program of a build gets the same. */
  readonly reads: readonly string[];
  /** npm's script, to be run by `node`. Throws a `Problem` 503 if there is none. */
  npm(): string;
  /** Where packages of Node come from. */
  npmRegistry(): Promise<URL>;
  /** Python's own program, not one that looks for it. Throws a `Problem` 503 if there is none. */
  python(): Promise<string>;
  /** Where packages of Python come from. */
  readonly pythonIndex: URL;
}

const run = promisify(execFile);

/** Finds the programs that builds use. What few projects need is looked for when it is needed. */
export function findBuildTools(environment: NodeJS.ProcessEnv = process.env): BuildTools {
  const require = createRequire(import.meta.url);
  const node = process.execPath;
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
  const esbuild = findEsbuild(require);
  const nodeTypes = join(dirname(require.resolve("@types/node/package.json")), "index.d.ts");
  const npm = once(() => findNpm(environment, node));
  return {
    node,
    tsc,
    esbuild,
    nodeTypes,
    reads: [
      ...new Set([node, tsc, esbuild, nodeTypes].map((path) => enclosing(realpathSync(path)))),
    ],
    npm,
    npmRegistry: once(() => findRegistry(environment, { node, npm })),
    python: once(() => findPython(environment)),
    pythonIndex: new URL(environment.HAFT_PYTHON_INDEX ?? "https://pypi.org/simple/"),
  };
}

/** The native program, so that no script has to start it. */
function findEsbuild(require: NodeJS.Require): string {
  const own = createRequire(require.resolve("esbuild/package.json"));
  const native = `@esbuild/${process.platform}-${process.arch}/bin/esbuild`;
  try {
    return own.resolve(native);
  } catch {
    return join(dirname(require.resolve("esbuild/package.json")), "bin/esbuild");
  }
}

// Packages need those beside them.
function enclosing(path: string): string {
  const packages = path.lastIndexOf("/node_modules/");
  return packages < 0 ? dirname(path) : path.slice(0, packages + "/node_modules".length);
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
    "The project depends on packages, and this server has no npm to install them. Install npm on the server.",
  );
}

async function findRegistry(
  environment: NodeJS.ProcessEnv,
  { node, npm }: { readonly node: string; npm(): string },
): Promise<URL> {
  const { HAFT_NPM_REGISTRY } = environment;
  if (HAFT_NPM_REGISTRY !== undefined) return new URL(HAFT_NPM_REGISTRY);
  // Where no project's own configuration has a say.
  const { stdout } = await run(node, [npm(), "config", "get", "registry"], { cwd: tmpdir() });
  return new URL(stdout.trim());
}

async function findPython(environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const script = "import sys; assert sys.version_info >= (3, 9); print(sys.executable)";
    const { stdout } = await run("python3", ["-I", "-c", script], {
      cwd: tmpdir(),
      env: environment,
    });
    return stdout.trim();
  } catch {
    throw new Problem(
      503,
      "The project is written in Python, and this server has no python3 of version 3.9 or later. Install it on the server.",
    );
  }
}

/** Remembers what was found; what failed is tried again. */
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
