import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "rolldown";
import { type BundleRecord, nameOf, recordOf, root, stampOf } from "./bundles.ts";
import { findSource } from "./find-source.mjs";

/** Where a bundle goes. */
export interface BundleOptions {
  /** The directory that it is kept in. */
  readonly cache: string;
  /** The name of its main file, without the extension. */
  readonly name: string;
  /** Whether Node keeps beside it what it compiles. Default: false. */
  readonly keepsCompiled?: boolean;
}

/** Bundles a script of our sources, and returns the path of the program. */
export async function makeBundle(
  script: string,
  { cache, name, keepsCompiled = false }: BundleOptions,
): Promise<string> {
  const folder = `${nameOf(script)}.${randomUUID()}`;
  const directory = join(cache, folder);
  mkdirSync(directory, { recursive: true });
  const { output } = await build({
    input: { [name]: script },
    platform: "node",
    resolve: { mainFields: ["module", "main"] },
    plugins: [findOurSources, keepAddresses(directory)],
    output: {
      dir: directory,
      format: "esm",
      // `haft` would have a file for each of hundreds of modules, and a fifth of its start is finding them.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: "shared", minShareCount: 20 }],
      },
    },
    logLevel: "silent",
  });
  // Otherwise Node takes it for CommonJS first.
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }\n');
  if (keepsCompiled) {
    writeFileSync(
      join(directory, "program.js"),
      `import { enableCompileCache } from "node:module";
enableCompileCache(new URL("./compiled", import.meta.url));
await import("./${name}.js");
`,
    );
  }
  const modules = output.flatMap((part) => (part.type === "chunk" ? part.moduleIds : []));
  const paths = modules.filter((id) => id.startsWith(root)).map((id) => relative(root, id));
  const record: BundleRecord = {
    entry: join(folder, keepsCompiled ? "program.js" : `${name}.js`),
    sources: Object.fromEntries(paths.map((path) => [path, stampOf(path)])),
  };
  const unfinished = join(directory, "record.json");
  writeFileSync(unfinished, JSON.stringify(record));
  renameSync(unfinished, recordOf(script, cache));
  removeOld(script, cache);
  return join(cache, record.entry);
}

const ownBesideFile = fileURLToPath(new URL("./beside-file.ts", import.meta.url));

const findOurSources: Plugin = {
  name: "our-sources",
  resolveId: (specifier) => {
    // As in vitest.config.ts.
    if (/^\..*\/beside-file\.ts$/u.test(specifier)) return ownBesideFile;
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

// Another run of the tests may still use a recent one.
function removeOld(script: string, cache: string): void {
  for (const name of readdirSync(cache).filter((each) => each.startsWith(`${nameOf(script)}.`))) {
    const path = join(cache, name);
    const { mtimeMs } = statSync(path);
    if (mtimeMs < Date.now() - 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}
