import { mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { Problem } from "../problem.ts";
import { requireRunTool } from "../project/check-entry.ts";
import { toShownName } from "../shown-name.ts";
import { type BuildContext, readStepOutput, tellLogEnd } from "./build-context.ts";

/** A project bundled into one module. */
export interface Bundle {
  /** The path of the module while the build lasts. */
  readonly path: string;
  readonly code: string;
  readonly sourceMap: string;
}

/** A module in the form that workers evaluate for each invocation. */
export type CommonJsBundle = Pick<Bundle, "code" | "sourceMap"> & { readonly format: "commonjs" };

/** Bundles a project and its dependencies into one module. The same files make the same module. */
export async function bundleTool(context: BuildContext, entry: string): Promise<Bundle> {
  const { paths } = context;
  const { exitCode, output } = await runEsbuild(context, entry, "esm");
  if (exitCode !== 0) throw explain(output);
  const read = (name: string, maxBytes: number): string =>
    readStepOutput(context, "bundle", { name, maxBytes }) ?? "";
  const meta = JSON.parse(read("meta.json", maxMetafileBytes)) as Metafile;
  const [made] = Object.values(meta.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  requireRunTool(entry, made?.exports ?? []);
  const imported = (made?.imports ?? [])
    .filter(({ external }) => external)
    .map((each) => each.path);
  for (const name of imported) requireBuiltin(name);
  const named = nameFully(read("tool.mjs", context.maxArtifactBytes), imported);
  const code = named.includes("__require") ? named + requireFooter : named;
  // Not where esbuild wrote it: the server writes this file and must not follow a link there.
  await mkdir(paths.settings, { recursive: true });
  const path = join(paths.settings, "tool.mjs");
  await writeFile(path, code);
  return { path, code, sourceMap: cleanMap(read("tool.mjs.map", context.maxArtifactBytes)) };
}

/**
 * Bundles a project into one CommonJS module. Returns `undefined` if it has top-level await, which
 * only ECMAScript modules have.
 */
export async function bundleCommonJs(
  context: BuildContext,
  entry: string,
): Promise<CommonJsBundle | undefined> {
  const { exitCode } = await runEsbuild(context, entry, "cjs");
  if (exitCode !== 0) return undefined;
  // It is a little larger than the first. The artifact's size is checked later.
  const maxBytes = 2 * context.maxArtifactBytes;
  const read = (name: string): string =>
    readStepOutput(context, "convert", { name, maxBytes }) ?? "";
  return {
    code: read("tool.mjs"),
    sourceMap: cleanMap(read("tool.mjs.map")),
    format: "commonjs",
  };
}

function runEsbuild(
  { run, paths, tools, limits }: BuildContext,
  entry: string,
  format: "esm" | "cjs",
): ReturnType<BuildContext["run"]> {
  const step = format === "esm" ? "bundle" : "convert";
  const out = paths.out(step);
  return run({
    step,
    argv: [
      tools.esbuild,
      entry,
      ...["--bundle", `--format=${format}`, "--platform=node", "--target=node24", "--charset=utf8"],
      ...[
        `--outfile=${join(out, "tool.mjs")}`,
        `--metafile=${join(out, "meta.json")}`,
        "--legal-comments=none",
      ],
      ...["--sourcemap=external", "--sources-content=false"],
      // Older packages use `__dirname` and `__filename`. The tool has no path, but they must not
      // fail.
      ...['--define:__dirname="/tool"', '--define:__filename="/tool/tool.js"'],
      ...(format === "cjs" ? ['--define:import.meta.url="file:///tool/tool.js"'] : []),
      // The project's own tsconfig.json must not change the bundle.
      `--tsconfig-raw=${JSON.stringify({ compilerOptions: { verbatimModuleSyntax: true } })}`,
      // The first pass has reported everything.
      ...[`--log-level=${format === "esm" ? "warning" : "silent"}`, "--log-limit=20"],
      "--color=false",
    ],
    environment: { NO_COLOR: "1" },
    runsProject: false,
    timeoutMs: limits.bundleMs,
  });
}

const maxMetafileBytes = 64 * 1024 * 1024;

interface Metafile {
  readonly outputs: Readonly<Record<string, MadeModule>>;
}

interface MadeModule {
  readonly entryPoint?: string;
  readonly exports?: readonly string[];
  readonly imports?: readonly { readonly path: string; readonly external?: boolean }[];
}

function requireBuiltin(name: string): void {
  if (isBuiltin(name)) return;
  throw new Problem(
    400,
    `The tool imports ${toShownName(name)}, which is not a package. Add a package to package.json, or copy the file into the project.`,
  );
}

/**
 * Renames imports such as "fs" to "node:fs". Imports that are not bundled are on lines of their
 * own.
 */
function nameFully(code: string, imported: readonly string[]): string {
  const bare = new Set(imported.filter((name) => !name.startsWith("node:")));
  if (bare.size === 0) return code;
  return code.replace(
    /^((?:import|export)\b[^"'`\n]*)"([^"\n]+)";$/gmu,
    (line: string, start: string, name: string) =>
      bare.has(name) ? `${start}"node:${name}";` : line,
  );
}

// Older packages load Node's modules with `require`, which a module does not have. It is added at
// the end, so that line numbers stay the same.
const requireFooter = `
function require(name) {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) return found;
  throw new Error("The module " + name + " is not part of the tool. Import it statically.");
}
`;

function cleanMap(text: string): string {
  const map = JSON.parse(text) as { sources: string[] };
  const sources = map.sources.map((source) => source.replace(/^(?:\.\.\/)+project\//u, ""));
  return JSON.stringify({ ...map, sources });
}

function explain(output: string): Problem {
  const [, missing] = /Could not resolve "([^"]+)"/u.exec(output) ?? [];
  if (missing === undefined)
    return new Problem(
      400,
      `The build failed. Fix the errors and publish again.${tellLogEnd(output)}`,
    );
  const remedy = missing.startsWith(".")
    ? "Check the path, and that the file is committed"
    : "Add the package to the dependencies in package.json, run `npm install` and commit package-lock.json";
  return new Problem(
    400,
    `The build can't find ${JSON.stringify(missing)}. ${remedy}.${tellLogEnd(output)}`,
  );
}
