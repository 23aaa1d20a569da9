import { readFile, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { Problem } from "../problem.ts";
import { requireRunTool } from "../project/check-entry.ts";
import { type BuildContext, tellLogEnd } from "./build-context.ts";

/** A project made into one module. */
export interface Bundle {
  /** Where it is, for as long as the build lasts. */
  readonly path: string;
  readonly code: string;
  readonly sourceMap: string | undefined;
}

/** Makes one module of a project and all that it depends on. The same files make the same module. */
export async function bundleTool(context: BuildContext, entry: string): Promise<Bundle> {
  const { places, tools, limits } = context;
  const out = places.out("bundle");
  const path = join(out, "tool.mjs");
  const metafile = join(out, "meta.json");
  const { exitCode, output } = await context.run({
    step: "bundle",
    argv: [
      tools.esbuild,
      entry,
      ...["--bundle", "--format=esm", "--platform=node", "--target=node24", "--charset=utf8"],
      ...[`--outfile=${path}`, `--metafile=${metafile}`, "--legal-comments=none"],
      ...["--sourcemap=external", "--sources-content=false"],
      // Older packages ask where they lie. They lie nowhere, but they need not fail for it.
      ...['--define:__dirname="/tool"', '--define:__filename="/tool/tool.js"'],
      // A project's own settings have no say in it.
      `--tsconfig-raw=${JSON.stringify({ compilerOptions: { verbatimModuleSyntax: true } })}`,
      ...["--log-level=warning", "--log-limit=20", "--color=false"],
    ],
    environment: { NO_COLOR: "1" },
    runsProject: false,
    timeoutMs: limits.bundleMs,
  });
  if (exitCode !== 0) throw explain(output);
  const meta = JSON.parse(await readFile(metafile, "utf8")) as Metafile;
  const [made] = Object.values(meta.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  requireRunTool(entry, made?.exports ?? []);
  const imported = (made?.imports ?? [])
    .filter(({ external }) => external)
    .map((each) => each.path);
  for (const name of imported) requireBuiltin(name);
  const named = nameFully(await readFile(path, "utf8"), imported);
  const code = named.includes("__require") ? named + requireFooter : named;
  await writeFile(path, code);
  return { path, code, sourceMap: await readMap(`${path}.map`) };
}

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
    `The tool imports ${JSON.stringify(name.slice(0, 200))}, which is no package. Depend on a package in package.json, or copy the file into the project.`,
  );
}

/** Whoever writes "fs" means "node:fs". Imports of what is not bundled have lines of their own. */
function nameFully(code: string, imported: readonly string[]): string {
  const bare = new Set(imported.filter((name) => !name.startsWith("node:")));
  if (bare.size === 0) return code;
  return code.replace(
    /^((?:import|export)\b[^"'`\n]*)"([^"\n]+)";$/gmu,
    (line: string, start: string, name: string) =>
      bare.has(name) ? `${start}"node:${name}";` : line,
  );
}

// Older packages ask for Node's modules with `require`, which a module does not have. It stands at
// the end, where it moves no line.
const requireFooter = `
function require(name) {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) return found;
  throw new Error("The module " + name + " is not part of the tool. Import it where the build sees it.");
}
`;

async function readMap(path: string): Promise<string | undefined> {
  const map = JSON.parse(await readFile(path, "utf8")) as { sources: string[] };
  const sources = map.sources.map((source) => source.replace(/^(?:\.\.\/)+project\//u, ""));
  return JSON.stringify({ ...map, sources });
}

function explain(output: string): Problem {
  const [, missing] = /Could not resolve "([^"]+)"/u.exec(output) ?? [];
  if (missing === undefined) return new Problem(400, `The build failed.${tellLogEnd(output)}`);
  const remedy = missing.startsWith(".")
    ? "Look for a wrong path, or a file that is not committed"
    : "Add the package to the dependencies in package.json, run `npm install`, and commit package-lock.json";
  return new Problem(
    400,
    `The build can't find ${JSON.stringify(missing)}. ${remedy}.${tellLogEnd(output)}`,
  );
}
