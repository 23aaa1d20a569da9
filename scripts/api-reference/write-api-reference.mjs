// Writes docs/reference/api from the doc comments of the public entry points, one page each.
// `--check` writes nothing. It fails if a page is out of date, if a public value has no comment with
// an example, or if an example does not type-check. Reads the built declarations: build first.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Application, ReflectionKind } from "typedoc";
import { readManifests } from "../lib/manifests.mjs";
import { runCommand } from "../lib/run-command.mjs";

/** @typedef {import("typedoc").DeclarationReflection} Reflection */

const root = join(import.meta.dirname, "../..");
const pages = join(root, "docs/reference/api");
const { values: flags } = parseArgs({ options: { check: { type: "boolean", default: false } } });

const compilerOptions = {
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "dom", "esnext.disposable"],
  types: ["node"],
  typeRoots: [join(root, "node_modules/@types")],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

const valueKinds = [ReflectionKind.Function, ReflectionKind.Variable, ReflectionKind.Class];

const entries = listEntries();
// Inside the project, so that examples find the packages.
const work = await mkdtemp(join(root, "node_modules/.cache-api-"));
try {
  const project = await convert();
  const values = (project.children ?? []).flatMap(({ children = [] }) =>
    children.filter(({ kind }) => valueKinds.includes(kind)),
  );
  const problems = flags.check
    ? [...(await comparePages()), ...findUndocumented(values), ...(await checkExamples(values))]
    : await replacePages();
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Lists the declarations of the public entry points. */
function listEntries() {
  return Object.entries(readManifests(root)).flatMap(([folder, { exports = {} }]) =>
    Object.entries(exports)
      .filter(([path, { types }]) => types?.startsWith("./dist/") && !path.startsWith("./internal"))
      .map(([, { types }]) => join(root, folder, types)),
  );
}

/** Reads the declarations and writes the pages into the work folder. */
async function convert() {
  await writeFile(join(work, "tsconfig.json"), JSON.stringify({ compilerOptions, files: entries }));
  /** @type {Record<string, unknown>} The plugin adds options of its own. */
  const markdown = {
    outputFileStrategy: "modules",
    hideBreadcrumbs: true,
    hidePageHeader: true,
    useCodeBlocks: true,
  };
  const app = await Application.bootstrapWithPlugins({
    ...markdown,
    plugin: [fileURLToPath(import.meta.resolve("typedoc-plugin-markdown"))],
    entryPoints: entries,
    tsconfig: join(work, "tsconfig.json"),
    outputs: [{ name: "markdown", path: join(work, "pages") }],
    name: "API reference",
    readme: "none",
    disableSources: true,
    skipErrorChecking: true,
    groupOrder: ["Functions", "Variables", "Classes", "*"],
    logLevel: "Error",
  });
  const project = await app.convert();
  if (project === undefined)
    throw new Error("TypeDoc could not read the declarations. Build first.");
  // TypeDoc names a module after its file: connect/dist/ai-sdk.
  for (const module of project.children ?? []) {
    const [folder, ...rest] = module.name.split("/").filter((part) => part !== "dist");
    module.name = [folder === "haft" ? "haft" : `@haft/${folder}`, ...rest].join("/");
  }
  await app.generateOutputs(project);
  return project;
}

async function replacePages() {
  const made = await readPages(join(work, "pages"));
  await rm(pages, { recursive: true, force: true });
  for (const [name, text] of made) {
    await mkdir(dirname(join(pages, name)), { recursive: true });
    await writeFile(join(pages, name), text);
  }
  return [];
}

async function comparePages() {
  const made = await readPages(join(work, "pages"));
  const kept = await readPages(pages);
  const names = new Set([...made.keys(), ...kept.keys()]);
  return [...names]
    .filter((name) => made.get(name) !== kept.get(name))
    .map((name) => `docs/reference/api/${name} is out of date. Run: npm run docs`);
}

/**
 * @param {string} folder
 * @returns {Promise<Map<string, string>>}
 */
async function readPages(folder) {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  const names = files.filter((name) => name.endsWith(".md")).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  return new Map(names.map((name, index) => [name, texts[index] ?? ""]));
}

/** @param {Reflection[]} values */
function findUndocumented(values) {
  return values.flatMap((value) => {
    const name = `${value.parent?.name}: ${value.name}`;
    const comment = findComment(value);
    if (comment === undefined) return [`${name} has no doc comment.`];
    return findExamples(value).length === 0 ? [`${name} has no @example.`] : [];
  });
}

/** @param {Reflection[]} values */
async function checkExamples(values) {
  const files = await Promise.all(
    values.flatMap((value) =>
      findExamples(value).map(async (code, index) => {
        const file = join(work, `${value.name}-${index}.mts`);
        await writeFile(file, `${code}\nexport {};\n`);
        return file;
      }),
    ),
  );
  await writeFile(join(work, "examples.json"), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", join(work, "examples.json"), "--pretty", "false"];
  const { ok, output } = await runCommand(process.execPath, args, { cwd: work });
  return ok ? [] : [`An example does not type-check:\n${output.trim()}`];
}

/** @param {Reflection} value */
function findComment(value) {
  return value.comment ?? value.signatures?.find(({ comment }) => comment !== undefined)?.comment;
}

/**
 * @param {Reflection} value
 * @returns {string[]}
 */
function findExamples(value) {
  const blocks = findComment(value)?.blockTags.filter(({ tag }) => tag === "@example") ?? [];
  const texts = blocks.map(({ content }) => content.map(({ text }) => text).join(""));
  return texts.flatMap((text) =>
    [...text.matchAll(/```ts\n(.*?)```/gsu)].map(([, code]) => String(code)),
  );
}
