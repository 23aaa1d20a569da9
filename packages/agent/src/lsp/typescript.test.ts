import { renameSync } from "node:fs";
import { join } from "node:path";
import { parseRule } from "@haft/core";
import { afterAll, describe, expect, it, vi } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import {
  type LspBench,
  newerTypeScript,
  olderTypeScript,
  openLspBench,
} from "./test-support/lsp-bench.ts";

// Compilers take their time to load a project, the more so where others work as well.
vi.setConfig({ testTimeout: 60_000 });

const config = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: "esnext",
    moduleResolution: "bundler",
    types: [],
  },
  include: ["src"],
});

const files = {
  "tsconfig.json": config,
  "package.json": "{}",
  "src/shapes.ts": [
    "/** Something with an area. */",
    "export interface Shape { area(): number }",
    "export class Square implements Shape {",
    "  constructor(readonly side: number) {}",
    "  area(): number {",
    "    return this.side ** 2;",
    "  }",
    "}",
    "",
  ].join("\n"),
  "src/main.ts": [
    'import { type Shape, Square } from "./shapes";',
    "// A Square is made here.",
    'const label = "😀🎉"; const shape: Shape = new Square(2);',
    "export const total: number = shape.area() + label.length;",
    "",
  ].join("\n"),
};

const kinds = [
  ["version 5 with typescript-language-server", olderTypeScript, "typescript-language-server"],
  ["version 7, which is a server itself", newerTypeScript, "tsc"],
] as const;

describe.each(kinds)("lsp with TypeScript %s", (_, packages, server) => {
  const open = (more: Readonly<Record<string, string>> = {}): LspBench =>
    openLspBench({ files: { ...files, ...more }, packages });
  // For tests that change nothing.
  const { ask } = openLspBench(
    {
      files: {
        ...files,
        "src/late.ts": "// answer\nexport const answer = 42;\n",
        "src/use.ts": "export const list: Promise<number>[] = [];\n",
      },
      packages,
    },
    afterAll,
  );

  it("finds definitions, implementations and types in other files", async () => {
    const main = { path: "src/main.ts", line: 3 };
    const definition = await ask({ operation: "definition", ...main, symbol: "Square" });
    expect(definition).toMatchObject({ operation: "definition", server });
    expect(definition.locations).toContainEqual({
      path: "src/shapes.ts",
      line: 3,
      character: 14,
      text: "export class Square implements Shape {",
    });
    const type = await ask({ operation: "type_definition", ...main, symbol: "shape" });
    expect(type.locations).toMatchObject([{ path: "src/shapes.ts", line: 2 }]);
    const implementation = await ask({
      operation: "implementation",
      path: "src/shapes.ts",
      symbol: "area",
    });
    expect(implementation.locations).toContainEqual(
      expect.objectContaining({ path: "src/shapes.ts", line: 5 }),
    );
  });

  it.skipIf(isMissing("bwrap"))("knows nothing of a file that rules deny", async () => {
    const { ask: askClosed, computer, root } = open();
    const rule = parseRule("fs.read src/shapes.ts deny");
    computer.followRules?.(() => ({
      sets: [[{ rule, scope: "session" }]],
      roots: [root],
      home: undefined,
    }));
    const main = { path: "src/main.ts", line: 3 };
    const found = await askClosed({ operation: "definition", ...main, symbol: "Square" });
    expect(JSON.stringify(found)).not.toContain("implements Shape");
  });

  it("counts an emoji as one character, both ways", async () => {
    const { locations = [] } = await ask({
      operation: "references",
      path: "src/shapes.ts",
      line: 3,
      symbol: "Square",
    });
    const line = files["src/main.ts"].split("\n")[2] ?? "";
    const character = [...line.slice(0, line.indexOf("Square("))].length + 1;
    expect(line.indexOf("Square(")).toBe(character + 1);
    expect(locations).toContainEqual(
      expect.objectContaining({ path: "src/main.ts", line: 3, character }),
    );
    expect(locations).toHaveLength(3);
    const main = { path: "src/main.ts", line: 3 };
    const back = await ask({ operation: "definition", ...main, character });
    expect(back.locations).toContainEqual(
      expect.objectContaining({ path: "src/shapes.ts", line: 3 }),
    );
    const quote = await ask({ operation: "definition", ...main, character: 15 });
    expect(quote).toMatchObject({ locations: [], message: expect.stringContaining("symbol") });
  });

  it("finds a name in code, not in a comment", async () => {
    const hover = await ask({ operation: "hover", path: "src/late.ts", symbol: "answer" });
    expect(hover.hover).toContain("const answer");
  });

  it("lists the symbols of a file, and finds those of the project", async () => {
    const { symbols } = await ask({ operation: "symbols", path: "src/shapes.ts" });
    expect(symbols).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "Shape", kind: "interface", line: 2 }),
        expect.objectContaining({ name: "Square", kind: "class", line: 3, end_line: 8 }),
        expect.objectContaining({ name: "area", kind: "method", line: 5, container: "Square" }),
      ]),
    );
    for (const path of ["src/main.ts", "."]) {
      const found = await ask({ operation: "workspace_symbols", path, query: "Square" });
      expect(found.symbols).toContainEqual(
        expect.objectContaining({ name: "Square", kind: "class", path: "src/shapes.ts" }),
      );
    }
    const some = await ask({ operation: "symbols", path: "src/shapes.ts", limit: 1 });
    expect(some).toMatchObject({ symbols: [{}], truncated: true });
    expect(some.message).toContain("the first 1");
  });

  it("tells what is wrong, and sees what was changed on disk meanwhile", async () => {
    const { ask, write } = open();
    const path = "src/main.ts";
    expect(await ask({ operation: "diagnostics", path })).toMatchObject({
      diagnostics: [],
      message: "No diagnostics.",
    });
    // Another file than the one that is asked about.
    write("src/shapes.ts", files["src/shapes.ts"].replaceAll("area(): number", "area(): string"));
    const broken = await ask({ operation: "diagnostics", path });
    expect(broken.diagnostics).toContainEqual(
      expect.objectContaining({ severity: "error", line: 4, code: "2322" }),
    );
    write(path, 'import { Square } from "./shapes";\nexport const one = new Square("1");\n');
    expect((await ask({ operation: "diagnostics", path })).diagnostics).toMatchObject([
      { severity: "error", line: 2, character: 31, code: "2345", message: expect.any(String) },
    ]);
    write(path, files["src/main.ts"]);
    write("src/shapes.ts", files["src/shapes.ts"]);
    expect((await ask({ operation: "diagnostics", path })).diagnostics).toEqual([]);
  });

  it("follows a file that is given another name", async () => {
    const { ask, root, write } = open();
    await ask({ operation: "symbols", path: "src/shapes.ts" });
    await ask({ operation: "diagnostics", path: "src/main.ts" });
    renameSync(join(root, "src/shapes.ts"), join(root, "src/forms.ts"));
    const lost = await ask({ operation: "diagnostics", path: "src/main.ts" });
    expect(lost.diagnostics).toContainEqual(expect.objectContaining({ line: 1, code: "2307" }));
    write("src/main.ts", files["src/main.ts"].replace("./shapes", "./forms"));
    const found = await ask({ operation: "definition", path: "src/main.ts", symbol: "Square" });
    expect(found.locations).toMatchObject([{ path: "src/forms.ts", line: 3 }]);
    expect((await ask({ operation: "diagnostics", path: "src/main.ts" })).diagnostics).toEqual([]);
    await expect(ask({ operation: "symbols", path: "src/shapes.ts" })).rejects.toMatchObject({
      code: "not-found",
    });
  });

  it("shows of what is outside the workspace only where it is", async () => {
    const { locations = [] } = await ask({
      operation: "definition",
      path: "src/use.ts",
      symbol: "Promise",
    });
    expect(locations.length).toBeGreaterThan(0);
    for (const location of locations) {
      expect(location.path).toMatch(/^\/.*\/lib\.[a-z0-9.]+\.d\.ts$/u);
      expect(Object.keys(location).sort()).toEqual(
        location.end_line === undefined ? ["line", "path"] : ["end_line", "line", "path"],
      );
    }
  });

  it("keeps the packages of a project apart", async () => {
    const part = (value: string): Readonly<Record<string, string>> => ({
      [`packages/${value}/tsconfig.json`]: config,
      [`packages/${value}/src/index.ts`]: `export const ${value} = "${value}";\nexport const use = ${value};\n`,
    });
    const { ask } = open({ ...part("left"), ...part("right") });
    const both = await Promise.all(
      ["left", "right"].map((symbol) =>
        ask({ operation: "definition", path: `packages/${symbol}/src/index.ts`, line: 2, symbol }),
      ),
    );
    expect(both.map(({ locations }) => locations)).toMatchObject([
      [{ path: "packages/left/src/index.ts", line: 1 }],
      [{ path: "packages/right/src/index.ts", line: 1 }],
    ]);
  });

  it("says after a change what is wrong in the files that changed", async () => {
    const { servers, root, write, ask: askHere } = open({ "notes.txt": "nothing" });
    await askHere({ operation: "diagnostics", path: "src/main.ts" });
    const { signal } = new AbortController();
    const paths = ["src/main.ts", "src/shapes.ts", "notes.txt", "gone.ts"].map((name) =>
      join(root, name),
    );
    expect(await servers.diagnoseChanges(paths, { signal })).toBeUndefined();
    write(
      "src/main.ts",
      `export const word: string = 1;\n${"export const x: number = '';\n".repeat(30)}`,
    );
    const said = (await servers.diagnoseChanges(paths, { signal, timeoutMs: 30_000 })) ?? "";
    expect(said.split("\n")).toHaveLength(21);
    expect(said).toMatch(
      /^src\/main\.ts:1:14 error: Type 'number' .* \((?:typescript|ts) 2322\)$/mu,
    );
    expect(said).toMatch(/… and \d+ more/u);
    write("src/main.ts", "export const word = 1;\n");
    expect(await servers.diagnoseChanges(paths, { signal, timeoutMs: 30_000 })).toBeUndefined();
    expect(await servers.diagnoseChanges(paths, { signal: AbortSignal.abort() })).toBeUndefined();
  });
});

describe("lsp without a sandbox", () => {
  it("works where the sandbox was given up", async () => {
    const { ask } = openLspBench({ files, packages: olderTypeScript, sandbox: "off" });
    const { symbols } = await ask({ operation: "symbols", path: "src/main.ts" });
    expect(symbols).toContainEqual(expect.objectContaining({ name: "total" }));
  });
});
