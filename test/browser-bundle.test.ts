import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { type Plugin, rolldown } from "rolldown";
import { describe, expect, test } from "vitest";

// What is said to run anywhere is bundled for a browser from its sources, and then run where there
// is nothing of Node.

const runAnywhere = [
  "@haft/contract",
  "@haft/core",
  "@haft/computer/memory",
  "@haft/tools",
  "@haft/connect/ai-sdk",
  "@haft/connect/openai",
  "@haft/connect/anthropic",
  "@haft/connect/gemini",
] as const;

describe.each(runAnywhere)("%s in a browser", (name) => {
  test("reaches no module of Node's", async () => {
    const { builtins, outside } = await bundle(name);
    expect(builtins).toEqual([]);
    expect(outside).toEqual([]);
  });

  test("runs with the globals of the web alone, and exports the same", async () => {
    const { code } = await bundle(name);
    const inBrowser = runInContext(`${code}; Object.keys(bundled)`, webContext()) as string[];
    const inNode = Object.keys((await import(sourceOf(name))) as object);
    expect([...inBrowser].sort()).toEqual([...inNode].sort());
    expect(inNode.length).toBeGreaterThan(0);
  });
});

describe("the test itself", () => {
  test.each([
    `export { readFile } from "node:fs";`,
    `export const load = () => import("fs/promises");`,
    `import { createRequire } from "node:module"; export const r = createRequire;`,
  ])("notices %s", async (source) => {
    expect((await bundleSource(source)).builtins).not.toEqual([]);
  });

  test.each(["process.cwd()", "Buffer.from([])", "require('x')", "setImmediate(() => {})"])(
    "notices %s",
    async (expression) => {
      const { code } = await bundleSource(`export const value = ${expression};`);
      expect(() => runInContext(code, webContext())).toThrow("is not defined");
    },
  );
});

interface Bundle {
  code: string;
  /** Modules of Node's that something in the bundle imports, and who does. */
  builtins: string[];
  /** Whatever else was left for the browser to load. */
  outside: string[];
}

function bundle(name: string): Promise<Bundle> {
  return bundleSource(`export * from ${JSON.stringify(sourceOf(name))};`);
}

async function bundleSource(source: string): Promise<Bundle> {
  const builtins: string[] = [];
  const entry = "virtual:entry.ts";
  const plugin: Plugin = {
    name: "from-sources",
    resolveId(id, importer) {
      if (id === entry) return id;
      if (isBuiltin(id)) {
        builtins.push(`${id}, imported by ${importer}`);
        return { id, external: true };
      }
      return id.startsWith("@haft/") ? sourceOf(id) : undefined;
    },
    load: (id) => (id === entry ? source : undefined),
  };
  const build = await rolldown({
    input: entry,
    platform: "browser",
    plugins: [plugin],
    logLevel: "silent",
  });
  const { output } = await build.generate({
    format: "iife",
    name: "bundled",
    codeSplitting: false,
  });
  await build.close();
  const [chunk] = output;
  const outside = [...chunk.imports, ...chunk.dynamicImports].filter(
    (id) => !isBuiltin(id) && id !== chunk.fileName,
  );
  return { code: chunk.code, builtins, outside };
}

/** `@haft/computer/memory` is packages/computer/src/memory/index.ts. */
function sourceOf(name: string): string {
  const [, workspace, ...folders] = name.split("/");
  const isInternal = folders[0] === "internal";
  const half = isInternal ? [...folders.slice(1), "internal.ts"] : [...folders, "index.ts"];
  const path = ["../packages", workspace, "src", ...half].join("/");
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (!existsSync(file)) throw new Error(`${name} has no ${file}`);
  return file;
}

/** JavaScript itself and what every browser and server runtime agrees on. */
function webContext(): object {
  return createContext({
    AbortController,
    AbortSignal,
    Blob,
    clearInterval,
    clearTimeout,
    crypto,
    DOMException,
    Event,
    EventTarget,
    fetch,
    performance,
    queueMicrotask,
    ReadableStream,
    setInterval,
    setTimeout,
    structuredClone,
    TextDecoder,
    TextEncoder,
    TransformStream,
    URL,
    URLSearchParams,
    WritableStream,
  });
}
