import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "@haft/contract";
import { afterAll, describe, expect, it, vi } from "vitest";
import {
  buildQuietly,
  closeBuilders,
  codeOf,
  makeManifest,
  makeProject,
  openBuilder,
  refusal,
} from "./test-support/open-builder.ts";

afterAll(closeBuilders);

const builder = openBuilder();
// What never ends, ends soon.
const hasty = openBuilder({
  limits: { testMs: 2_500, loadMs: 2_500, maxConcurrent: 1, maxPrintedBytes: 100_000 },
});

describe("a build of a project of Node", { timeout: 60_000 }, () => {
  it("builds a project with loose types, all of Node's modules and no tests", async () => {
    const project = await makeProject("node", {
      "src/tool.ts":
        'import { writeSync } from "node:fs";\nexport async function runTool({ toolInput }) { writeSync(2, ""); return toolInput?.name ?? process.uptime(); }',
      "test/tool.test.ts": undefined,
      "tsconfig.json": undefined,
    });
    expect((await buildQuietly(builder, project)).log).toContain("There are no tests.");
  });

  it("bundles the scaffold into the same module every time", async () => {
    const project = await makeProject("node");
    const [first, second] = await Promise.all([
      buildQuietly(builder, project),
      buildQuietly(builder, project),
    ]);
    expect(second.digest).toBe(first.digest);
    expect(first.manifest).toMatchObject({ name: "my_tool", runtime: "node" });
    expect(first.lockfileDigest).toBeNull();
    const code = codeOf(first.artifact);
    // CommonJS, which a worker can evaluate for each invocation.
    expect(code).toContain("runTool: () => runTool");
    expect(Buffer.from(first.artifact).toString()).not.toContain(builder.directory);
    expect(first.progress.map(({ state }) => state)).toEqual([
      ...["checking", "checking", "checking", "building"],
    ]);
    expect(first.log).toContain("greets by name, and says what it is doing");
    expect(first.lines.join("\n")).toBe(first.log.trimEnd());
    for (const slot of readdirSync(join(builder.directory, "builds"))) {
      expect(readdirSync(join(builder.directory, "builds", slot))).toEqual([]);
    }
  });

  it("builds JavaScript with a schema that the code exports", async () => {
    const { inputSchema: _, ...manifest } = (await makeManifest("node", {})) as Record<
      string,
      unknown
    >;
    const built = await buildQuietly(
      builder,
      await makeProject("node", {
        "tool.json": manifest,
        "src/tool.ts": undefined,
        "src/tool.mjs": `
          import fs from "fs";
          import data from "./data.json" with { type: "json" };
          export const inputSchema = { type: "object", properties: { n: { type: "integer" } } };
          export const runTool = ({ toolInput }) => data.factor * toolInput.n + fs.constants.F_OK;`,
        "src/data.json": { factor: 3 },
        "test/tool.test.ts": undefined,
        "test/tool.test.mjs": `
          import assert from "node:assert/strict";
          import { test } from "node:test";
          import { runTool } from "../src/tool.mjs";
          test("multiplies", () => assert.equal(runTool({ toolInput: { n: 2 } }), 6));`,
      }),
    );
    expect(built.manifest.inputSchema).toEqual({
      type: "object",
      properties: { n: { type: "integer" } },
    });
    expect(codeOf(built.artifact)).toContain('require("fs")');
  });

  it("knows the types that tools use", async () => {
    const project = await makeProject("node", {
      "src/tool.ts": `
        import { createHash, randomUUID } from "node:crypto";
        import { join } from "node:path";
        import { setTimeout as wait } from "node:timers/promises";
        import { inspect } from "node:util";
        import type { ToolCall } from "amigo_tool_scaffold";
        import { prefix } from "./prefix.ts";

        class LookUpError extends Error {
          override name = "LookUpError";
        }

        export async function runTool({ toolInput, config, sendStatusEvent, userVariables }: ToolCall<{ q: string }>) {
          const url = new URL("/search", config.BASE_URL ?? "https://example.com");
          url.searchParams.set("q", toolInput.q);
          sendStatusEvent({ step: "asking", url: url.href });
          const signal = AbortSignal.timeout(5_000);
          if (toolInput.q === "really") {
            const response = await fetch(url, { signal, headers: { authorization: \`Bearer \${config.TOKEN}\` } });
            if (!response.ok) throw new LookUpError(\`It answered \${response.status}\`);
            const found: unknown = await response.json();
            console.log(inspect(found), process.version);
          }
          await wait(1);
          const digest = createHash("sha256").update(Buffer.from(toolInput.q, "utf8")).digest("hex");
          return { digest, id: randomUUID().length, path: join(prefix, userVariables.get("team") ?? "none") };
        }`,
      "src/prefix.ts": `export const prefix = "teams" as const;`,
      "test/tool.test.ts": `
        import assert from "node:assert";
        import { describe, it, mock } from "node:test";
        import { createTestCall } from "amigo_tool_scaffold";
        import { runTool } from "../src/tool.ts";

        describe("looking up", () => {
          it("hashes", async () => {
            const watched = mock.fn((event: unknown) => event);
            const call = createTestCall({ toolInput: { q: "x" }, userVariables: { team: "red" } });
            const { path, id } = await runTool(call);
            watched(call.statusEvents[0]);
            assert.equal(watched.mock.callCount(), 1);
            assert.deepEqual({ path, id }, { path: "teams/red", id: 36 });
            assert.equal(String(call.userVariables), 'UserVariables {"team":"red"}');
          });
        });`,
    });
    await expect(buildQuietly(builder, project)).resolves.toMatchObject({ lockfileDigest: null });
  });

  it("hides the server's network, environment and files from the project", async () => {
    vi.stubEnv("HARMLESS_NAME", "of-the-server");
    const project = await makeProject("node", {
      "test/tool.test.ts": `
        import assert from "node:assert/strict";
        import { existsSync, writeFileSync } from "node:fs";
        import { test } from "node:test";
        test("is alone", async () => {
          await assert.rejects(fetch("http://127.0.0.1:1/"));
          await assert.rejects(fetch("http://example.com/"));
          assert.equal(process.env.HARMLESS_NAME, undefined);
          assert.equal(existsSync(${JSON.stringify(join(builder.directory, "caches"))}), false);
          assert.throws(() => writeFileSync("src/tool.ts", "export const runTool = 1"));
          writeFileSync("/tmp/scratch", "allowed");
        });`,
    });
    await buildQuietly(builder, project).finally(() => vi.unstubAllEnvs());
  });

  it.concurrent.each<
    [what: string, sentence: RegExp, changes: Readonly<Record<string, string | undefined>>]
  >([
    [
      "without an entry",
      /^The project has no src\/tool\.ts\. Add it.*runTool/u,
      { "src/tool.ts": undefined },
    ],
    [
      "with two entries",
      /has both src\/tool\.ts and src\/tool\.js\. Remove one/u,
      { "src/tool.js": "export function runTool() {}" },
    ],
    [
      "that exports another name",
      /^src\/tool\.ts exports run_tool, but not runTool/u,
      { "src/tool.ts": "export function run_tool() {}", "test/tool.test.ts": "" },
    ],
    [
      "that exports no function",
      /^runTool is not a function, but string/u,
      { "src/tool.ts": 'export const runTool: string = "x";', "test/tool.test.ts": "" },
    ],
    [
      "whose tests fail",
      /^2 tests failed: "adds", "subtracts"\. Fix[\s\S]*1 !== 2/u,
      {
        "test/tool.test.ts": `
          import assert from "node:assert/strict";
          import { describe, test } from "node:test";
          describe("arithmetic", () => {
            test("adds", () => assert.equal(1 as number, 2));
            test("subtracts", () => assert.equal(1 as number, 2));
            test("multiplies", () => {});
          });`,
      },
    ],
    [
      "whose types don't fit, or need a compiler, though it would not be checked",
      /^The type check found 3 errors:\nsrc\/tool\.ts:1:6 This syntax is not allowed when 'erasableSyntaxOnly'.*\nsrc\/tool\.ts:2:25 Parameter 'call' implicitly has an 'any' type\.\nsrc\/tool\.ts:2:\d+ Type 'string' is not assignable to type 'number'\.$/u,
      {
        "src/tool.ts":
          'enum A { B }\nexport const runTool = (call) => { const wrong: number = "text"; return [A.B, wrong]; };',
        "test/tool.test.ts": "",
        "tsconfig.json": '{ "compilerOptions": { "strict": true, "noCheck": true } }',
      },
    ],
    [
      "with a missing package",
      /^The build can't find "left-pad"\. Add the package to the dependencies/u,
      {
        "src/tool.ts": undefined,
        "src/tool.js": 'import pad from "left-pad";\nexport const runTool = () => pad;',
        "test/tool.test.ts": "",
      },
    ],
    [
      "with an import from the web",
      /^The tool imports "https:\/\/example\.com\/x\.js", which is not a package/u,
      {
        "src/tool.ts": undefined,
        "src/tool.js": 'import x from "https://example.com/x.js";\nexport const runTool = () => x;',
        "test/tool.test.ts": "",
      },
    ],
    [
      "that throws when it is loaded",
      /^The tool could not be loaded: RangeError: too early\. Fix the code that runs outside runTool/u,
      {
        "src/tool.ts": 'export const runTool = (): void => {};\nthrow new RangeError("too early");',
        "test/tool.test.ts": "",
      },
    ],
    [
      "that ends the process when it is loaded",
      /^The tool exits while it is being loaded/u,
      {
        "src/tool.ts": "export const runTool = (): void => {};\nprocess.kill(process.pid);",
        "test/tool.test.ts": "",
      },
    ],
    ["with packages in the repository", /Remove node_modules/u, { "node_modules/a/index.js": "" }],
    [
      "with a path that leads elsewhere",
      /"\.\.\/outside", which is not a valid path/u,
      { "../outside": "" },
    ],
  ])("refuses one %s", async (_, sentence, changes) => {
    expect((await refusal(builder, await makeProject("node", changes))).message).toMatch(sentence);
  });

  it("stops tests that never end", async () => {
    const project = await makeProject("node", {
      "test/tool.test.ts": 'import { test } from "node:test";\ntest("loops", () => { for (;;); });',
    });
    expect((await refusal(hasty, project)).message).toMatch(
      /^The tests did not finish within 2\.5 s and had to be stopped\. Look for an endless loop/u,
    );
  });

  it("stops a tool that never finishes loading or prints endlessly", async () => {
    const endless = await makeProject("node", {
      "src/tool.ts": "export const runTool = (): void => {};\nfor (;;);",
      "test/tool.test.ts": "",
    });
    expect((await refusal(hasty, endless)).message).toMatch(
      /^Loading the tool did not finish within/u,
    );
    const loud = await makeProject("node", {
      "test/tool.test.ts": `process.stdout.write("x".repeat(1_000_000));`,
    });
    expect((await refusal(hasty, loud)).message).toMatch(/^The tests printed more than/u);
  });

  it("ends when it is cancelled", async () => {
    const cancel = new AbortController();
    const building = hasty.build(await makeProject("node"), {
      organization: "a".repeat(24),
      onProgress: ({ message }) => message.startsWith("Checking types") && cancel.abort(),
      onLog: () => undefined,
      signal: cancel.signal,
    });
    await expect(building).rejects.toThrow();
    await expect(buildQuietly(hasty, await makeProject("node"))).resolves.toBeDefined();
  });

  it("refuses a tool that is too large", async () => {
    const small = openBuilder({ settings: { maxArtifactBytes: 1_000, maxProjectBytes: 20_000 } });
    expect((await refusal(small, await makeProject("node"))).message).toMatch(
      /^The built tool has \d+ bytes, more than the limit of 1000/u,
    );
    const large = await makeProject("node", { "src/data.txt": "x".repeat(20_001) });
    expect((await refusal(small, large)).message).toMatch(/files have \d+ bytes in all/u);
  });
});

describe("a builder without a sandbox", () => {
  it("refuses to build and says why", async () => {
    const without = openBuilder({
      openComputer: () => ({
        startProgram: async () => {
          throw new ToolError("unavailable", "no sandbox");
        },
        examineSandbox: async () => ({
          isolation: "none",
          detail: "",
          reason: "bubblewrap is not installed",
          remedy: "Install it.",
        }),
      }),
    });
    await expect(buildQuietly(without, await makeProject("node"))).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/no sandbox.*bubblewrap is not installed\. Install it\./u),
    });
  });
});
