import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// Plants imports in an empty project that has our real biome.json, runs the real Biome once over
// all of them, and looks at what it said about each file.

const imports = "lint/style/noRestrictedImports";
const nodeModules = "lint/correctness/noNodejsModules";
const globals = "lint/style/noRestrictedGlobals";
const cycles = "lint/suspicious/noImportCycles";
const undeclared = "lint/correctness/noUndeclaredDependencies";
const plugin = "plugin";

const mayImport: Record<string, string[]> = {
  contract: [],
  core: ["contract"],
  computer: ["contract", "core"],
  tools: ["contract"],
  connect: ["contract", "core", "computer", "tools"],
  agent: ["contract", "core", "computer", "tools", "connect"],
  platform: ["contract", "core", "computer", "tools"],
  console: ["core"],
  cli: ["contract", "core", "computer", "tools", "connect", "agent", "platform", "console"],
};
const packages = Object.keys(mayImport);

interface Plant {
  title: string;
  path: string;
  source: string;
  /** The rule that has to object; none where the import is allowed. */
  rule?: string;
}

/** Each package, and the part of one that keeps further rules. */
const places = [
  ...packages.map((name) => ({ name, folder: `${name}/src` })),
  { name: "computer", folder: "computer/src/memory" },
];

const pairs: Plant[] = places.flatMap(({ name, folder }) =>
  packages
    .filter((other) => other !== name)
    .flatMap((other) => [other, `${other}/part`])
    .map((imported) => {
      const allowed = mayImport[name]?.includes(imported.replace("/part", ""));
      return {
        title: `${folder} ${allowed ? "may" : "may not"} import @haft/${imported}`,
        path: `packages/${folder}/pair-${imported.replace("/", "-")}.ts`,
        source: `export { thing } from "@haft/${imported}";`,
        ...(allowed ? {} : { rule: imports }),
      };
    }),
);

const forms: Plant[] = (
  [
    ["a side effect import", `import "@haft/computer";`, imports],
    ["a type import", `import type { Thing } from "@haft/computer";`, imports],
    ["an inline type import", `import { type Thing } from "@haft/computer";`, imports],
    ["a namespace import", `import * as thing from "@haft/computer";`, imports],
    ["a re-export", `export { thing } from "@haft/computer";`, imports],
    ["a type re-export", `export type { Thing } from "@haft/computer";`, imports],
    ["a star re-export", `export * from "@haft/computer";`, imports],
    ["a subpath", `export { thing } from "@haft/computer/memory";`, imports],
    ["a dynamic import", `export const thing = await import("@haft/computer");`, imports],
    ["an import in a then chain", `import("@haft/computer").then(String, String);`, imports],
    ["a dynamic import of a template", "export const t = await import(`@haft/computer`);", plugin],
    ["a computed import", `export const t = await import("@haft/" + "computer");`, plugin],
    ["a type taken by import()", `export type T = import("@haft/computer").Thing;`, plugin],
    ["a typeof import()", `export type T = typeof import("@haft/computer");`, plugin],
    ["a require", `export const t = require("@haft/computer");`, "lint/style/noCommonJs"],
    ["an import assignment", `import t = require("@haft/computer");`, imports],
  ] as const
).map(([title, source, rule], index) => ({
  title: `core may not reach computer by ${title}`,
  path: `packages/core/src/form-${index}.ts`,
  source,
  rule,
}));

const files: Plant[] = [
  `export { thing } from "@haft/contract/src/tool.ts";`,
  `export { thing } from "@haft/contract/dist/tool.js";`,
  `export { thing } from "@haft/contract/src";`,
  `export type { Thing } from "../../contract/src/tool.ts";`,
  `export { thing } from "../../contract/dist/index.js";`,
  `export { thing } from "../../contract/src";`,
  `export const thing = await import("../../contract/src/tool.ts");`,
].flatMap((source, index) =>
  places.flatMap(({ folder }) => [
    {
      title: `${folder} may not reach into another package's files: ${source}`,
      path: `packages/${folder}/files-${index}.ts`,
      source,
      rule: imports,
    },
    {
      title: `a test in ${folder} may not either: ${source}`,
      path: `packages/${folder}/files-${index}.test.ts`,
      source,
      rule: imports,
    },
  ]),
);

const runsAnywhere: Plant[] = [
  "contract/src",
  "core/src",
  "tools/src",
  "computer/src/memory",
].flatMap((folder) =>
  (
    [
      ["node:fs", `export { readFile } from "node:fs";`, nodeModules],
      ["node:fs/promises", `import "node:fs/promises";`, nodeModules],
      ["a bare builtin", `export { readFile } from "fs";`, nodeModules],
      ["a bare builtin's subpath", `export { readFile } from "fs/promises";`, nodeModules],
      ["a builtin later", `export const fs = await import("node:fs");`, nodeModules],
      ["a bare builtin later", `export const fs = await import("fs");`, nodeModules],
      ["Node's types", `export type { Stats } from "node:fs";`, imports],
      ["Node's types by import", `import type { Stats } from "node:fs/promises";`, imports],
      [
        "Node's types, bare",
        `import type { Stats } from "fs";`,
        "lint/style/useNodejsImportProtocol",
      ],
      ["node:sqlite", `export { DatabaseSync } from "node:sqlite";`, imports],
      ["process", `export const fs = process.getBuiltinModule("fs");`, globals],
      ["Buffer", `export const bytes = Buffer.from("");`, globals],
    ] as const
  ).map(([title, source, rule], index) => ({
    title: `${folder} may not use ${title}`,
    path: `packages/${folder}/anywhere-${index}.ts`,
    source,
    rule,
  })),
);

const cycle: Plant[] = [
  {
    title: "two files may not import each other",
    path: "packages/core/src/cycle/left.ts",
    source: `import { right } from "./right.ts";\nexport const left = (): unknown => right;`,
    rule: cycles,
  },
  {
    title: "nor through the way back",
    path: "packages/core/src/cycle/right.ts",
    source: `import { left } from "./left.ts";\nexport const right = (): unknown => left;`,
    rule: cycles,
  },
  {
    title: "not even for a type",
    path: "packages/cli/src/cycle/left.ts",
    source: `import type { Right } from "./right.ts";\nexport interface Left {\n  right: Right;\n}`,
    rule: cycles,
  },
  {
    title: "whichever side one looks from",
    path: "packages/cli/src/cycle/right.ts",
    source: `import type { Left } from "./left.ts";\nexport interface Right {\n  left: Left;\n}`,
    rule: cycles,
  },
];

const others: Plant[] = [
  {
    title: "console may not import the platform",
    path: "packages/console/src/store.ts",
    source: `export { thing } from "@haft/platform/store";`,
    rule: imports,
  },
  {
    title: "a package may import its own files",
    path: "packages/core/src/steps/own.ts",
    source: `export { thing } from "../pair-contract.ts";`,
  },
  {
    title: "computer may use Node",
    path: "packages/computer/src/files/node.ts",
    source: `export { join } from "node:path";\nexport const here = process.cwd();`,
  },
  {
    title: "platform may list and open files",
    path: "packages/platform/src/publish/lists.ts",
    source: `import { openSync, readdirSync } from "node:fs";\nimport type * as fs from "node:fs";\nexport const list = (at: fs.PathLike): unknown => [openSync(at, 0), readdirSync(at)];`,
  },
  {
    title: "a test of platform may read files",
    path: "packages/platform/src/publish/reads.test.ts",
    source: `export { readFile } from "node:fs/promises";`,
  },
  {
    title: "computer may compute what it imports",
    path: "packages/computer/src/files/module.ts",
    source: `export const load = (path: string): Promise<unknown> => import(path);`,
  },
  {
    title: "agent may not hide an import in a template",
    path: "packages/agent/src/template.ts",
    source: "export const thing = await import(`@haft/cli`);",
    rule: plugin,
  },
  {
    title: "a test of tools may import computer and Node",
    path: "packages/tools/src/read/read.test.ts",
    source: `export { thing } from "@haft/computer";\nexport { readFile } from "node:fs/promises";`,
  },
  {
    title: "a conformance suite may import Node",
    path: "packages/core/src/storage.conformance.ts",
    source: `export { readFile } from "node:fs/promises";`,
  },
  {
    title: "a benchmark may not reach into a package's files",
    path: "bench/lines/deep.ts",
    source: `export { thing } from "../../packages/core/src/index.ts";`,
    rule: imports,
  },
  {
    title: "an example may not either",
    path: "examples/first/deep.ts",
    source: `export { thing } from "@haft/core/dist/index.js";`,
    rule: imports,
  },
  {
    title: "an example may import every package by name",
    path: "examples/first/by-name.ts",
    source: `export { thing } from "@haft/core";\nexport { readFile } from "node:fs";`,
  },
  {
    title: "what supports the tests of tools may import computer and Node",
    path: "packages/tools/src/test-support/workspace.ts",
    source: `export { thing } from "@haft/computer";\nexport { readFile } from "node:fs/promises";`,
  },
  {
    title: "a source may not import what its package doesn't depend on",
    path: "packages/connect/src/undeclared.ts",
    source: `export { thing } from "left-pad";`,
    rule: undeclared,
  },
  {
    title: "nor what it depends on for development only",
    path: "packages/connect/src/development.ts",
    source: `export { thing } from "fast-check";`,
    rule: undeclared,
  },
];

/** Whole-file reads follow links and wait for pipes. */
const reads: Plant[] = (
  [
    ["readFileSync", `import { readFileSync } from "node:fs";\nreadFileSync("x");`],
    [
      "readFile under another name",
      `import { readFile as r } from "node:fs/promises";\nvoid r("x");`,
    ],
    [
      "readFile among others",
      `import {\n  stat,\n  readFile,\n} from "node:fs/promises";\nvoid [stat, readFile];`,
    ],
    ["a stream", `import { createReadStream } from "node:fs";\ncreateReadStream("x");`],
    ["copyFile", `import { copyFileSync } from "node:fs";\ncopyFileSync("x", "y");`],
    ["cp", `import { cp } from "node:fs/promises";\nvoid cp("x", "y");`],
    ["promises", `import { promises } from "node:fs";\nvoid promises;`],
    ["a namespace", `import * as fs from "node:fs";\nvoid fs;`],
    ["a default import", `import fs from "node:fs/promises";\nvoid fs;`],
    ["a re-export", `export { readFile } from "node:fs/promises";`],
    ["an import later", `export const fs = await import("node:fs");`],
  ] as const
).flatMap(([title, source], index) =>
  ["platform/src/publish", "agent/src/lsp/find", "connect/src/toolbox", "cli/src/options"].map(
    (folder) => ({
      title: `${folder} may not read files by ${title}`,
      path: `packages/${folder}/reads-${index}.ts`,
      source,
      rule: plugin,
    }),
  ),
);

const plants = [...pairs, ...forms, ...files, ...runsAnywhere, ...cycle, ...reads, ...others];

describe("package boundaries", () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  let project: string;
  let said: Map<string, string[]>;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "haft-boundaries-"));
    await cp(join(root, "biome.json"), join(project, "biome.json"));
    await cp(join(root, "scripts/lint"), join(project, "scripts/lint"), { recursive: true });
    await Promise.all([
      ...packages.map((name) => plant(`packages/${name}/package.json`, manifest(name))),
      ...plants.map(({ path, source }) => plant(path, `${source}\n`)),
    ]);
    said = await lint(project, root);
  });

  afterAll(() => rm(project, { recursive: true, force: true }));

  test.each(plants)("$title", ({ path, rule }) => {
    const rules = said.get(path) ?? [];
    if (rule === undefined) expect(rules).toEqual([]);
    else expect(rules).toContain(rule);
  });

  async function plant(path: string, text: string): Promise<void> {
    const target = join(project, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
  }
});

function manifest(name: string): string {
  const ours = packages.map((other) => [`@haft/${other}`, "0.1.0"] as const);
  const dependencies = Object.fromEntries(ours);
  return JSON.stringify({
    name: `@haft/${name}`,
    dependencies,
    devDependencies: { "fast-check": "4.0.0" },
  });
}

/** The rules Biome found broken, by file. */
async function lint(project: string, root: string): Promise<Map<string, string[]>> {
  const biome = join(root, "node_modules/.bin/biome");
  const options = ["lint", "--reporter=rdjson", "--max-diagnostics=none"];
  // Biome exits with 1 when it finds something; what it found is on stdout all the same.
  const { stdout } = await promisify(execFile)(biome, options, { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  const report = JSON.parse(stdout) as {
    diagnostics: { code: { value: string }; location: { path: string } }[];
  };
  const said = new Map<string, string[]>();
  for (const { code, location } of report.diagnostics) {
    said.set(location.path, [...(said.get(location.path) ?? []), code.value]);
  }
  return said;
}
