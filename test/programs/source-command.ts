import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "rolldown";
import { findSource } from "./find-source.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const cache = join(root, "node_modules/.cache/haft-test-programs");
const hooks = fileURLToPath(new URL("./register-sources.mjs", import.meta.url));

/**
 * Returns the command that runs a script of our sources in a process of its own, without the script's
 * arguments. The script is bundled first: hundreds of modules take most of a short process's time. A
 * bundle is kept until one of its sources changes.
 */
export async function sourceCommand(script: URL): Promise<[string, ...string[]]> {
  const file = fileURLToPath(script);
  let bundle = bundles.get(file);
  if (bundle === undefined) {
    bundle = Promise.resolve(findBundle(file) ?? makeBundle(file));
    bundles.set(file, bundle);
  }
  // A process that the script starts may run from the sources.
  return [process.execPath, "--import", hooks, "--no-warnings", join(cache, await bundle)];
}

const bundles = new Map<string, Promise<string>>();

/** What a bundle was made of: the time and size of each file, by its path in the project. */
interface BundleRecord {
  readonly entry: string;
  readonly sources: Readonly<Record<string, string>>;
}

function findBundle(file: string): string | undefined {
  try {
    const { entry, sources } = JSON.parse(readFileSync(recordOf(file), "utf8")) as BundleRecord;
    const isCurrent = Object.entries(sources).every(([path, stamp]) => stampOf(path) === stamp);
    return isCurrent ? entry : undefined;
  } catch {
    return undefined;
  }
}

async function makeBundle(file: string): Promise<string> {
  const name = `${nameOf(file)}.${randomUUID()}`;
  const directory = join(cache, name);
  mkdirSync(directory, { recursive: true });
  const { output } = await build({
    input: { main: file },
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    plugins: [findOurSources, keepAddresses(directory)],
    output: { dir: directory, format: "esm" },
    logLevel: "silent",
  });
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  const paths = modules.filter((id) => id.startsWith(root)).map((id) => relative(root, id));
  const entry = join(name, "program.js");
  // What Node compiles is kept beside the bundle.
  writeFileSync(
    join(cache, entry),
    `import { enableCompileCache } from "node:module";
enableCompileCache(new URL("./compiled", import.meta.url));
await import("./main.js");
`,
  );
  const record: BundleRecord = {
    entry,
    sources: Object.fromEntries(paths.map((path) => [path, stampOf(path)])),
  };
  const unfinished = join(directory, "record.json");
  writeFileSync(unfinished, JSON.stringify(record));
  renameSync(unfinished, recordOf(file));
  removeOld(file);
  return entry;
}

const findOurSources: Plugin = {
  name: "our-sources",
  resolveId: (specifier) => {
    const source = findSource(specifier);
    return source === undefined ? null : fileURLToPath(source);
  },
};

/** Modules look for files beside themselves: each keeps the address that it has in the project. */
function keepAddresses(directory: string): Plugin {
  return {
    name: "addresses",
    transform: (code, id) => {
      if (!id.startsWith(root) || !code.includes("import.meta.")) return null;
      const own = `new URL(${JSON.stringify(relative(directory, id))}, import.meta.url)`;
      const path = `process.getBuiltinModule("node:url").fileURLToPath(${own})`;
      const folder = `process.getBuiltinModule("node:path").dirname(${path})`;
      // Not in a text, such as an option of esbuild.
      return code.replaceAll(/(?<![:"'`])import\.meta\.(url|dirname)\b/gu, (_, part) =>
        part === "url" ? `${own}.href` : folder,
      );
    },
  };
}

function stampOf(path: string): string {
  const { mtimeMs, size } = statSync(join(root, path));
  return `${mtimeMs} ${size}`;
}

function nameOf(file: string): string {
  return relative(root, file).replaceAll(/[^a-z0-9]+/gu, "-");
}

function recordOf(file: string): string {
  return join(cache, `${nameOf(file)}.json`);
}

// Another run of the tests may still use a recent one.
function removeOld(file: string): void {
  for (const name of readdirSync(cache).filter((each) => each.startsWith(`${nameOf(file)}.`))) {
    const path = join(cache, name);
    const { mtimeMs } = statSync(path);
    if (mtimeMs < Date.now() - 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}
