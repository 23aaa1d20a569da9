import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ModuleReport } from "@haft/connect/internal/modules";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";

const run = promisify(execFile);
const contract = fileURLToPath(new URL("../../../contract", import.meta.url));

describe("haft module init", () => {
  it("makes a module in TypeScript that passes its own test and validate", async () => {
    const { haft, directory } = createTestWorkspace();
    const made = await haft(["module", "init", "word-counter"]);
    expect(made).toMatchObject({ exitCode: 0, stderr: "" });
    expect(made.stdout).toContain("with the tool word_counter");
    const home = join(directory, "word-counter");
    expect(readdirSync(home).sort()).toEqual(["README.md", "package.json", "src"]);
    const validated = await haft([
      "module",
      "validate",
      "word-counter",
      "--type",
      "tool",
      "--json",
    ]);
    expect(validated).toMatchObject({ exitCode: 0, stderr: "" });
    const report = validated.json<ModuleReport>();
    expect(report).toMatchObject({ passed: true, tools: ["word_counter"] });
    expect(report.items.filter(({ status }) => status !== "pass").map(({ id }) => id)).toEqual([
      "logs",
    ]);
    // As after an npm install.
    mkdirSync(join(home, "node_modules/@haft"), { recursive: true });
    symlinkSync(contract, join(home, "node_modules/@haft/contract"));
    const environment = { PATH: process.env.PATH };
    const node = ["--test", "src/**/*.test.ts"];
    const tested = await run(process.execPath, node, { cwd: home, env: environment });
    expect(tested.stdout).toContain("pass 4");
  });

  it("makes a module that works with a plan", async () => {
    const { haft } = createTestWorkspace({
      "plan.yaml": `
tools:
  - { module: word-counter, source: ./word-counter, config: { shortest: 3 } }
  - { module: broken, source: ./broken }
`,
    });
    await haft(["module", "init", "word-counter"]);
    const text = "text=to be or not to be";
    const early = await haft(["call", "word_counter", text, "--mount", "plan.yaml", "--yes"]);
    expect([early.exitCode, early.stderr]).toEqual([
      2,
      expect.stringMatching(/its current content is not trusted. Review it with: haft trust/u),
    ]);
    expect((await haft(["trust", "--yes", "plan.yaml"])).stdout).toContain("Trusted: 2 of 2.");
    const called = await haft([
      "call",
      "word_counter",
      text,
      "--mount",
      "plan.yaml",
      "--yes",
      "--json",
    ]);
    expect(called.json()).toMatchObject({ data: { words: 1 }, metadata: { isolation: "none" } });
    expect(called.stderr).toMatch(/^haft: modules: broken is left out\. .*does not exist\. .*\n$/u);
    const refused = await haft(["call", "word_counter", text, "--mount", "plan.yaml", "--json"]);
    expect(refused.json()).toMatchObject({ metadata: { error_code: "headless" } });
  });

  it("makes a module in Python that passes its own test and validate", async () => {
    const { haft, directory } = createTestWorkspace();
    const made = await haft(["module", "init", "word-counter", "--python", "-C", "made", "--json"]);
    expect(made.exitCode).toBe(0);
    const home = join(directory, "made/word-counter");
    expect(made.json<{ directory: string }>().directory).toBe(home);
    const environment = { PATH: process.env.PATH ?? "" };
    const validated = await haft(["module", "validate", home, "--type", "tool"], { environment });
    expect(validated.stdout).toContain("It can be mounted.");
    expect(validated).toMatchObject({ exitCode: 0, stderr: "" });
    const tested = await run("python3", ["-m", "unittest"], { cwd: home, env: environment });
    expect(tested.stderr).toContain("OK");
  });

  it("overwrites nothing, and takes no name that can't be one", async () => {
    const { haft, directory } = createTestWorkspace({ "taken/a.txt": "a" });
    const init = (...args: string[]): ReturnType<typeof haft> => haft(["module", "init", ...args]);
    expect(await init("taken")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`${directory}/taken already exists. Nothing was changed`),
    });
    expect(await init("../up")).toMatchObject({ exitCode: 2 });
    expect(await init("web-fetch")).toMatchObject({
      stderr: expect.stringContaining("web_fetch is the name of a built-in tool"),
    });
    expect(await init()).toMatchObject({ exitCode: 2 });
    expect(await init("a", "b")).toMatchObject({ exitCode: 2 });
    expect(readdirSync(directory)).toEqual(["taken"]);
  });
});

describe("haft module python-path", () => {
  it("prints the directory that lets the tests of a module import amplifier_core (002:211)", async () => {
    const { haft } = createTestWorkspace();
    const { stdout, exitCode } = await haft(["module", "python-path"]);
    expect(exitCode).toBe(0);
    const script = `
import asyncio, importlib.metadata
from amplifier_core.testing import MockCoordinator, MockTool
tool = MockTool(name="test_tool", output="mock result")
result = asyncio.run(tool.execute({}))
assert result.success and result.error is None and tool.call_count == 1
found = [one.entry_points for one in importlib.metadata.distributions() if one.metadata["Name"] == "haft-amplifier-core"]
print([point.value for points in found for point in points])`;
    const environment = { PATH: process.env.PATH ?? "", PYTHONPATH: stdout.trim() };
    const ran = await run("python3", ["-c", script], { env: environment });
    expect(ran.stdout).toContain("amplifier_core.pytest_plugin");
  });
});

describe("haft module validate", () => {
  it("reports what is wrong and how to fix it, and exits with 1", async () => {
    const { haft } = createTestWorkspace({
      "bad/package.json": '{"type": "module", "exports": "./index.js"}',
      "bad/index.js": `export const mount = (c, { name = "tool" }) => ({ name, description: "d", execute: () => 5 });`,
    });
    const validated = await haft([
      ...["module", "validate", "bad", "--type", "tool"],
      ...["--config", '{"name": "other"}'],
    ]);
    expect(validated).toMatchObject({ exitCode: 1, stderr: "" });
    expect(validated.stdout).toContain("bad: other");
    expect(validated.stdout).toContain("  fail  Provides JSON schema via input_schema property");
    expect(validated.stdout).toContain("        Remedy: Call coordinator.register_contributor(");
    expect(validated.stdout).toContain("It does not pass.");
  });

  it.each([
    [["validate"], /needs the argument DIR/u],
    [["validate", "a", "b", "--type", "tool"], /unexpected argument: "b"/u],
    [["validate", "a"], /--type TYPE is required/u],
    [["validate", "a", "--type", "hook"], /--type is one of tool, not "hook"/u],
    [["validate", "a", "--type", "tool", "--config", "[1]"], /--config takes a JSON object/u],
    [["mount"], /no subcommand "mount". Subcommands: init, python-path, validate/u],
    [[], /needs a subcommand: init, python-path, validate/u],
  ])("refuses %j", async (args, message) => {
    const { haft } = createTestWorkspace();
    const ran = await haft(["module", ...args]);
    expect(ran.stderr).toMatch(message);
    expect(ran.exitCode).toBe(2);
  });

  it("fails for a directory that is not there", async () => {
    const { haft } = createTestWorkspace();
    const ran = await haft(["module", "validate", "nowhere", "--type", "tool"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(/ {2}fail {2}mount\(\) function with entry point/u);
  });
});
