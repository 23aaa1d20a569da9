import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProjectTree } from "../git/repositories.ts";
import { type Artifact, unpackArtifact } from "../runner/artifact.ts";
import { findBuildTools } from "./build-tools.ts";
import {
  buildQuietly,
  closeBuilders,
  codeOf,
  makeProject,
  openBuilder,
  refusal,
  type TestBuilder,
} from "./test-support/open-builder.ts";
import { type PackageServer, servePackages } from "./test-support/serve-packages.ts";

afterAll(closeBuilders);

describe("a build with packages", () => {
  let server: PackageServer;
  let online: TestBuilder;
  beforeAll(async () => {
    server = await servePackages();
    const tools = findBuildTools({
      ...process.env,
      HAFT_NPM_REGISTRY: server.url,
      HAFT_PYTHON_INDEX: `${server.url}/simple/`,
    });
    online = openBuilder({ tools });
  });
  afterAll(() => server.stop());

  const withPackages = (
    entries: Readonly<Record<string, object>>,
    changes: Readonly<Record<string, string | object | undefined>> = {},
  ): Promise<ProjectTree> => {
    const dependencies = Object.fromEntries(Object.keys(entries).map((name) => [name, "1.0.0"]));
    const packages = Object.entries(entries).map(([name, entry]) => [
      `node_modules/${name}`,
      entry,
    ]);
    return makeProject("node", {
      "package.json": { name: "my_tool", type: "module", dependencies },
      "package-lock.json": {
        name: "my_tool",
        lockfileVersion: 3,
        packages: { "": { name: "my_tool", dependencies }, ...Object.fromEntries(packages) },
      },
      ...changes,
    });
  };

  it("puts them into the module, and never runs their scripts", async () => {
    const loud = await server.addNode("loud", {
      "package.json": JSON.stringify({
        name: "loud",
        version: "1.0.0",
        main: "index.cjs",
        scripts: { install: "touch ran", preinstall: "touch ran", postinstall: "touch ran" },
      }),
      "index.cjs": `
        const { existsSync } = require("fs");
        exports.ran = existsSync(require("path").join(__dirname, "ran"));
        exports.lies = __filename;
        exports.words = "from a package";`,
    });
    const project = await withPackages(
      { loud: { ...loud, hasInstallScript: true } },
      {
        "src/tool.ts": undefined,
        "src/tool.js": 'import loud from "loud";\nexport const runTool = () => loud.words;',
        "test/tool.test.ts": undefined,
        "test/tool.test.js": `
          import assert from "node:assert/strict";
          import { test } from "node:test";
          import loud from "loud";
          test("runs nothing", () => assert.equal(loud.ran, false));`,
        ".npmrc": "registry=http://127.0.0.1:9/\n",
      },
    );
    const first = await buildQuietly(online, project);
    expect(codeOf(first.artifact)).toContain("from a package");
    expect(first.lockfileDigest).toMatch(/^[0-9a-f]{64}$/u);
    const downloads = server.asked.filter((path) => path.endsWith(".tgz")).length;
    expect(downloads).toBe(1);
    // From the organization's own cache, which no other has.
    const second = await buildQuietly(online, project);
    expect(second.digest).toBe(first.digest);
    expect(server.asked.filter((path) => path.endsWith(".tgz"))).toHaveLength(downloads);
    await buildQuietly(online, project, "b".repeat(24));
    expect(server.asked.filter((path) => path.endsWith(".tgz"))).toHaveLength(downloads + 1);
  });

  it("takes the project's own types of Node instead of ours", async () => {
    const types = await server.addNode("@types/node", {
      "package.json": JSON.stringify({
        name: "@types/node",
        version: "1.0.0",
        types: "index.d.ts",
      }),
      "index.d.ts": `
        declare module "node:stream" { export const ours: "theirs"; }
        declare module "node:test" { export function test(name: string, body: () => void): void; }`,
    });
    const project = await withPackages(
      { "@types/node": types },
      {
        "src/tool.ts": `
          import type { ours } from "node:stream";
          export const runTool = (): typeof ours => "theirs";`,
        "test/tool.test.ts": 'import { test } from "node:test";\ntest("nothing", () => {});',
      },
    );
    await expect(buildQuietly(online, project)).resolves.toBeDefined();
  });

  const integrity = "sha512-AAAA";
  it.each<[what: string, sentence: RegExp, entry: object]>([
    [
      "from another host",
      /bad comes from "https:\/\/evil\.example\/x\.tgz"/u,
      { resolved: "https://evil.example/x.tgz", integrity },
    ],
    [
      "from git",
      /bad comes from "git\+ssh/u,
      { resolved: "git+ssh://git@github.com/a/b.git#1", integrity },
    ],
    ["from a file", /bad comes from "file:/u, { resolved: "file:../x.tgz", integrity }],
    ["that is a link", /bad is a link to a folder/u, { resolved: "../x", link: true }],
    [
      "of unknown content",
      /bad has no integrity/u,
      { resolved: "https://registry.npmjs.org/bad/-/bad-1.0.0.tgz" },
    ],
  ])("refuses one %s", async (_, sentence, entry) => {
    const project = await withPackages({ bad: { version: "1.0.0", ...entry } });
    expect((await refusal(online, project)).message).toMatch(sentence);
  });

  it("refuses dependencies without a lockfile or with a wrong one", async () => {
    const unlocked = await withPackages({ loud: {} }, { "package-lock.json": undefined });
    expect((await refusal(online, unlocked)).message).toMatch(
      /no package-lock\.json.*Run `npm install`/u,
    );
    const missing = await withPackages({ gone: { version: "1.0.0", integrity } });
    expect((await refusal(online, missing)).message).toMatch(
      /^The project's packages could not be installed/u,
    );
  });

  it("adds Python packages to the artifact", async () => {
    server.addPython("leftpad", {
      "leftpad/__init__.py": "def pad(text):\n    return ' ' + text\n",
    });
    const project = await makeProject("python", {
      "requirements.txt": "# needed\nleftpad==1.0.0\n",
      "src/tool.py": `
from leftpad import pad
from src.words import WORD

INPUT_SCHEMA = {"type": "object", "properties": {}}

def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    return pad(WORD)
`,
      "src/words.py": 'WORD = "word"\n',
      "src/data/list.csv": "a,b\n",
      "test/test_tool.py": `
import unittest
from src.tool import run_tool

class ToolTest(unittest.TestCase):
    def test_pads(self):
        self.assertEqual(run_tool({}, {}, {}, None, None, None), " word")
`,
    });
    const built = await buildQuietly(online, project);
    const artifact = unpackArtifact(built.artifact) as Extract<Artifact, { runtime: "python" }>;
    expect(artifact.module).toBe("src.tool");
    expect(Object.keys(artifact.files)).toEqual(
      expect.arrayContaining(["leftpad/__init__.py", "src/tool.py", "src/data/list.csv"]),
    );
    expect(Object.keys(artifact.files).filter((path) => path.startsWith("test/"))).toEqual([]);
  });

  it("refuses Python packages that exceed the size of an artifact", async () => {
    server.addPython("bomb", { "bomb/data.bin": "0".repeat(30 * 1024 * 1024) });
    const project = await makeProject("python", { "requirements.txt": "bomb==1.0.0\n" });
    expect((await refusal(online, project)).message).toMatch(
      /^The project's packages can't be included in the tool: "bomb\/data\.bin" has 31457280 bytes/u,
    );
  });

  it("reports a Python package that the index does not have", async () => {
    const project = await makeProject("python", { "requirements.txt": "nowhere==1.0.0\n" });
    expect((await refusal(online, project)).message).toMatch(
      /^The packages in requirements\.txt could not be installed[\s\S]*nowhere/u,
    );
  });
});
