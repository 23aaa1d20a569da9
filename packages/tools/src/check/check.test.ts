import { fileURLToPath } from "node:url";
import { createMemoryComputer } from "@haft/computer/memory";
import type { Runtime } from "@haft/contract";
import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import {
  type CommandOptions,
  type CommandRuntime,
  openCommands,
} from "../test-support/open-commands.ts";
import { createScriptedShell } from "../test-support/scripted-shell.ts";
import { type CheckArguments, check } from "./check.ts";

const [, makeMemory] = computers[0] as (typeof computers)[0];

/** A program of this repository, as a project's own. */
const borrow = (name: string): string => {
  const path = fileURLToPath(new URL(`../../../../node_modules/.bin/${name}`, import.meta.url));
  return `#!/bin/sh\nexec "${path}" "$@"\n`;
};

const open = (files: Files, place: CommandOptions = {}): Promise<CommandRuntime> =>
  openCommands(check, { files, ...place });

const run = async (files: Files, args: CheckArguments = {}) =>
  check.execute(args, await open(files));

const makefile = (targets: Record<string, string>): Files => ({
  Makefile: Object.entries(targets)
    .map(([name, command]) => `${name}:\n\t@${command}\n`)
    .join(""),
});

describe("check", () => {
  it("runs the project's checks in order and tells how each went", async () => {
    const files = makefile({
      test: "echo tested",
      lint: "echo 'src/a.py:3:1: F401 unused'; exit 1",
      typecheck: "echo typed",
    });
    const runtime = await open({ ...files, "src/a.py": "" });
    const data = await check.execute({}, runtime);
    expect(data).toMatchObject({
      passed: false,
      message:
        "types (make typecheck) passed. lint (make lint) failed with 1 problem. test (make test) passed.",
      directory: runtime.root,
      checks: [
        { kind: "types", command: "make typecheck", passed: true, exit_code: 0, problems: [] },
        {
          kind: "lint",
          passed: false,
          problems: [{ file: "src/a.py", line: 3, column: 1, code: "F401", message: "unused" }],
        },
        { kind: "test", passed: true, output: "tested" },
      ],
    });
    expect(data).not.toHaveProperty("skipped");
  });

  it("runs only what it is told", async () => {
    const files = makefile({ test: "true", lint: "false" });
    const { passed, checks } = await run(files, { kinds: ["test"] });
    expect(passed).toBe(true);
    expect(checks.map(({ kind }) => kind)).toEqual(["test"]);
  });

  it("checks the nearest project above a path, and names files from the workspace", async () => {
    const files = {
      ...makefile({ lint: "true" }),
      "packages/a/Makefile": "test:\n\t@echo src/x.js:2:3: odd; exit 1\n",
      "packages/a/src/x.js": "",
    };
    const runtime = await open(files);
    const test = await check.execute({ path: "packages/a/src/x.js", kinds: ["test"] }, runtime);
    expect(test).toMatchObject({
      directory: `${runtime.root}/packages/a`,
      checks: [{ problems: [{ file: "packages/a/src/x.js", line: 2, column: 3 }] }],
    });
    const lint = await check.execute({ path: "packages/a", kinds: ["lint"] }, runtime);
    expect(lint).toMatchObject({ directory: runtime.root, passed: true });
  });

  it("finds the file of a Go test by its package", async () => {
    const goTest = [
      "--- FAIL: TestAdd (0.00s)",
      "    add_test.go:10: wrong",
      "FAIL\texample.com/m/calc\t0.003s",
    ];
    const shell = {
      ...createScriptedShell({ exitCode: 1, output: `${goTest.join("\n")}\n` }),
      find: async (program: string) => (program === "go" ? "/usr/bin/go" : undefined),
    };
    const files = { "go.mod": "module example.com/m\n", "calc/add_test.go": "" };
    const runtime = openRuntime(makeMemory(files), check, { shell });
    const data = await check.execute({ kinds: ["test"] }, runtime);
    expect(data.checks[0]?.problems).toEqual([
      { file: "calc/add_test.go", line: 10, severity: "error", message: "TestAdd: wrong" },
    ]);
    expect(shell.ran).toMatchObject([{ command: "go test ./...", cwd: "/workspace" }]);
  });

  it("tells 200 problems in all, and how many there are", async () => {
    const many = (count: number): string =>
      `for i in $$(seq ${count}); do echo "a.py:$$i:1: F401 unused"; done; exit 1`;
    const { checks } = await run(makefile({ lint: many(150), test: many(150) }));
    expect(checks.map(({ problems }) => problems.length)).toEqual([150, 50]);
    expect(checks.map(({ problem_count }) => problem_count)).toEqual([undefined, 150]);
  });

  it("shows the end of what a check printed", async () => {
    const { checks } = await run(makefile({ test: "seq 100000; exit 3" }));
    expect(checks[0]).toMatchObject({ passed: false, problems: [] });
    expect(checks[0]?.output).toMatch(/^\s*\d+\n.*\n100000\n[^\n]*Error 3$/su);
    expect(checks[0]?.output.length).toBeLessThanOrEqual(8_000);
  });

  it("continues with what is installed, and says what is not", async () => {
    const shell = {
      ...createScriptedShell({}),
      find: async (program: string) => (program === "make" ? "/usr/bin/make" : undefined),
    };
    const files = { ...makefile({ test: "true" }), "mypy.ini": "" };
    const runtime = openRuntime(makeMemory(files), check, { shell });
    expect(await check.execute({}, runtime)).toMatchObject({
      passed: true,
      checks: [{ kind: "test" }],
      skipped: [{ kind: "types", why: "mypy.ini requires mypy, which is not installed." }],
    });
  });

  it("ends when it is aborted, with what was printed", async () => {
    const controller = new AbortController();
    const progress: Runtime["progress"] = (report) => {
      if (report?.message === "going") controller.abort();
    };
    const runtime = await open(makefile({ test: "echo going; sleep 60" }), {
      signal: controller.signal,
      progress,
    });
    await expect(check.execute({}, runtime)).rejects.toMatchObject({
      code: "cancelled",
      partial: "going\n",
    });
  });

  it("says what it looked for where it found nothing", async () => {
    await expect(run({ "README.md": "" }, { kinds: ["lint", "test"] })).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringMatching(/^Found no check for lint, test of .*package\.json.*bash/u),
    });
  });
});

describe("check, with the programs of this repository", () => {
  it("reads what the TypeScript compiler says", async () => {
    const data = await run({
      "tsconfig.json": '{"compilerOptions":{"strict":true,"types":[]},"include":["src"]}',
      "src/a.ts": 'export const a: number = "x";\n',
      "node_modules/.bin/tsc": borrow("tsc"),
    });
    expect(data.checks).toMatchObject([
      {
        kind: "types",
        command: "node_modules/.bin/tsc --noEmit -p .",
        passed: false,
        problems: [{ file: "src/a.ts", line: 1, column: 14, severity: "error", code: "TS2322" }],
      },
    ]);
  });

  it("reads what Biome says", async () => {
    const data = await run({
      "biome.json": "{}",
      "src/a.ts": "if (a == 1) b();\n",
      "node_modules/.bin/biome": borrow("biome"),
    });
    expect(data.checks[0]?.problems).toContainEqual({
      file: "src/a.ts",
      line: 1,
      column: 7,
      severity: "error",
      code: "lint/suspicious/noDoubleEquals",
      message: expect.any(String),
    });
  });

  it("reads what Node's test runner says, through npm", async () => {
    const test = 'require("node:test")("adds", () => { throw new Error("wrong"); });\n';
    const data = await run({
      "package.json": '{"scripts":{"test":"node --test"}}',
      "a.test.js": test,
    });
    expect(data.checks).toMatchObject([
      {
        command: "CI=true npm run test",
        passed: false,
        problems: [{ file: "a.test.js", line: 1, message: "adds: Error: wrong" }],
      },
    ]);
  });
});

describe.skipIf(isMissing("bwrap"))("check, in a package of a monorepo", () => {
  const above: Files = {
    "../../.git/HEAD": "",
    "../../biome.json": "{}\n",
    // It reads the repository's configuration and another package, and can't change them.
    "../../node_modules/.bin/biome": [
      "#!/bin/sh",
      "cat ../../biome.json ../b/b.js && touch ../../new 2> /dev/null || echo a.js:1:1: error: read only",
      "exit 1",
    ].join("\n"),
    "../b/b.js": "",
    "package.json": '{"scripts":{"test":"biome"}}',
    "a.js": "",
  };

  it("runs programs and uses configuration of the repository, in the package", async () => {
    const runtime = await open(above, { workspace: "repository/packages/a", sandbox: "required" });
    const { directory, checks } = await check.execute({}, runtime);
    expect(directory).toBe(runtime.root);
    const problems = [
      { file: "a.js", line: 1, column: 1, severity: "error", message: "read only" },
    ];
    expect(checks).toMatchObject([
      {
        command: `${runtime.root.replace("/packages/a", "")}/node_modules/.bin/biome check .`,
        problems,
      },
      // npm adds the directories of programs above to the search path.
      { command: "CI=true npm run test", problems },
    ]);
  });

  it("checks nothing outside the package", async () => {
    const runtime = await open(above, { workspace: "repository/packages/a", sandbox: "required" });
    for (const path of ["..", "../b", "../none"]) {
      await expect(check.execute({ path }, runtime)).rejects.toMatchObject({
        code: "out-of-scope",
      });
    }
  });
});

const passing = makefile({ test: "true" });
describeToolContract(check, [
  {
    name: "a project",
    arguments: { path: "." },
    runtime: () => open(passing),
    expect: { data: { passed: true, checks: [{ kind: "test", command: "make test" }] } },
  },
  {
    name: "no project",
    arguments: {},
    runtime: () => open({}),
    expect: { error: "not-found" },
  },
  {
    name: "where nothing can be run",
    arguments: { kinds: ["test"] },
    runtime: () => {
      const computer = createMemoryComputer({ files: passing });
      return openRuntime(computer, check, { shell: computer.openShell({} as never) });
    },
    expect: { error: "unavailable" },
  },
  {
    name: "a missing path",
    arguments: { path: "none" },
    runtime: () => open(passing),
    expect: { error: "not-found" },
  },
  {
    name: "a path outside",
    arguments: { path: "/etc" },
    runtime: () => open(passing),
    expect: { error: "out-of-scope" },
  },
  { name: "an unknown kind", arguments: { kinds: ["x"] }, expect: { error: "invalid-arguments" } },
]);
