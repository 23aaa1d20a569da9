import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeBuilders, makeProject, openBuilder } from "./test-support/open-builder.ts";

afterAll(closeBuilders);

// What the host reads after foreign code has run lies where that code could write. Here projects
// put other things in the place of those files.

const builder = openBuilder({ limits: { testMs: 20_000, loadMs: 20_000 } });
const canary = "canary-of-another-organization";
const secret = join(builder.directory, "secret.json");
writeFileSync(secret, JSON.stringify({ entry: canary, error: canary, schema: { title: canary } }));

/** Statements of JavaScript that put something in the place `at`. */
const plants: readonly (readonly [what: string, code: string])[] = [
  ["an absolute link", "symlinkSync(secret, at);"],
  ["a relative link", "symlinkSync(relative(dirname(at), secret), at);"],
  ["a chain of links", "symlinkSync(secret, at + '.1'); symlinkSync(at + '.1', at);"],
  ["a link to an endless device", "symlinkSync('/dev/zero', at);"],
  ["a link to itself", "symlinkSync(at, at);"],
  ["a link to the reader's own input", "symlinkSync('/proc/self/fd/0', at);"],
  ["a pipe", "execFileSync('mkfifo', [at]);"],
  ["a pipe behind a link", "execFileSync('mkfifo', [at + '.1']); symlinkSync(at + '.1', at);"],
  ["a directory", "mkdirSync(at);"],
  ["a huge sparse file", "writeFileSync(at, ''); truncateSync(at, 500 * 1024 * 1024);"],
  [
    "what is swapped in a loop by a process that stays",
    `spawn(process.execPath, ["-e", \`const fs = require("node:fs");
      for (;;) for (const target of [\${JSON.stringify(secret)}, "/dev/zero"]) {
        try { fs.rmSync(\${JSON.stringify(at)}, { force: true }); fs.symlinkSync(target, \${JSON.stringify(at)}); } catch {}
      }\`], { detached: true, stdio: "ignore" }).unref();
     while (!lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) {}`,
  ],
];

const prelude = (path: string): string => `
  import { execFileSync, spawn } from "node:child_process";
  import { lstatSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
  import { dirname, join, relative } from "node:path";
  const secret = ${JSON.stringify(secret)};
  const at = join(process.cwd(), ${JSON.stringify(path)});
  rmSync(at, { force: true, recursive: true });`;

async function buildAnyway(
  changes: Readonly<Record<string, string | undefined>>,
  runtime: "node" | "python" = "node",
): Promise<string> {
  const said: string[] = [];
  const told = await builder
    .build(await makeProject(runtime, changes), {
      organization: "a".repeat(24),
      onProgress: ({ message }) => void said.push(message),
      onLog: (line) => void said.push(line),
    })
    .then(
      (built) =>
        JSON.stringify(built.manifest) + built.log + Buffer.from(built.artifact).toString(),
      (error: Error) => `${error.name}: ${error.message}`,
    );
  return [...said, told].join("\n");
}

const ofTests = plants.filter((_, index) => index % 2 === 0);
const ofLoading = plants.filter((_, index) => index % 2 === 1);

describe("a build whose own code replaces what the server reads", () => {
  it.concurrent.each(ofTests)("reads no failed tests from %s", async (_what, plant) => {
    const said = await buildAnyway({
      "test/tool.test.ts": undefined,
      "test/tool.test.mjs": `${prelude("../out/tests/failures")}\n${plant}\nprocess.exit(1);`,
    });
    // Between two swaps there is no file, as after tests that end without a report.
    expect(said).toMatch(/Problem: The tests (?:left a file failures that|did not finish)/u);
    expect(said).not.toContain(canary);
  });

  it.concurrent.each(ofLoading)("reads no report from %s", async (_what, plant) => {
    const said = await buildAnyway({
      "test/tool.test.ts": undefined,
      "src/tool.ts": undefined,
      "src/tool.mjs": `${prelude("../out/load/report.json")}
        export const runTool = () => 1;
        ${plant}
        process.reallyExit(0);`,
    });
    expect(said).toContain("Problem: Loading the tool left a file report.json that ");
    expect(said).not.toContain(canary);
  });

  it.concurrent.each(["null", "7", "[]", '{"entry":{"toString":1}}', "{"])(
    "takes %s for no report",
    async (report) => {
      const said = await buildAnyway({
        "test/tool.test.ts": undefined,
        "src/tool.ts": undefined,
        "src/tool.mjs": `${prelude("../out/load/report.json")}
        export const runTool = () => 1;
        writeFileSync(at, ${JSON.stringify(report)});
        process.reallyExit(0);`,
      });
      expect(said).toMatch(/Problem: (?:The tool exits|runTool is not a function)/u);
    },
  );

  it("reads no report of a tool in Python from a link", async () => {
    const said = await buildAnyway(
      {
        "test/test_tool.py": undefined,
        "src/tool.py": `import os
os.symlink(${JSON.stringify(secret)}, os.path.join(os.getcwd(), "../../out/load/report.json"))
os._exit(0)
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    return 1
`,
      },
      "python",
    );
    expect(said).toContain("Problem: Loading the tool left a file report.json that ");
  });
});
