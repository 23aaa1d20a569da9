import { createTestRuntime } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { check } from "./check.ts";
import { checkKinds } from "./check-kind.ts";
import { findChecks } from "./find-checks.ts";
import { openProject } from "./project.ts";

const [, makeMemory] = computers[0] as (typeof computers)[0];

interface Machine {
  /** The workspace root, in a repository at `/workspace`. */
  readonly root?: string;
  /** The programs on the search path; those below `node_modules/.bin` and the like need not be. */
  readonly installed?: readonly string[];
  readonly directory?: string;
}

/** What is found in a project with these files, each as `kind: command`. */
async function find(
  files: Files,
  { installed = [], root = "/workspace", directory = root }: Machine = {},
): Promise<{ checks: string[]; skipped: string[] }> {
  const { shell, session } = createTestRuntime();
  const runtime = openRuntime(makeMemory(files), check, {
    session: {
      ...session,
      roots: [root],
      repositories: root === "/workspace" ? [] : ["/workspace"],
    },
    shell: {
      ...shell,
      find: async (program, searchFirst = []) => {
        const own = searchFirst.map((each) => `${each}/${program}`);
        const found = own.find((path) => files[path.replace("/workspace/", "")] !== undefined);
        return found ?? (installed.includes(program) ? `/usr/bin/${program}` : undefined);
      },
    },
  });
  const found = await findChecks(await openProject(directory, runtime), checkKinds);
  return {
    checks: found.checks.map(({ kind, command }) => `${kind}: ${command}`),
    skipped: found.skipped.map(({ kind, why }) => `${kind}: ${why}`),
  };
}

const manifest = (scripts: Record<string, string>, more = {}): string =>
  JSON.stringify({ scripts, ...more });

describe("findChecks", () => {
  const common = { typecheck: "tsc", lint: "eslint .", test: "vitest run", build: "x" };

  it("takes the scripts of a package, types first and tests last", async () => {
    const files = { "package.json": manifest({ test: "x", build: "y", lint: "z", types: "t" }) };
    expect(await find(files, { installed: ["npm"] })).toEqual({
      checks: ["types: npm run types", "lint: npm run lint", "test: CI=true npm run test"],
      skipped: [],
    });
  });

  it.each([
    ["package-lock.json", "npm"],
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun"],
    ["bun.lockb", "bun"],
  ])("runs them with the package manager of %s", async (lock, manager) => {
    const files = { [lock]: "", "package.json": manifest(common) };
    const installed = ["npm", manager];
    expect((await find(files, { installed })).checks[1]).toBe(`lint: ${manager} run lint`);
    const below = { [lock]: "", "packages/a/package.json": manifest(common) };
    const place = { installed, directory: "/workspace/packages/a" };
    expect((await find(below, place)).checks[1]).toBe(`lint: ${manager} run lint`);
    expect((await find(files, { installed: ["npm"] })).checks[1]).toBe("lint: npm run lint");
  });

  it("believes a manifest that names its package manager", async () => {
    const files = {
      "package-lock.json": "",
      "package.json": manifest(common, { packageManager: "pnpm@9.1.0" }),
    };
    expect((await find(files, { installed: ["npm", "pnpm"] })).checks[0]).toBe(
      "types: pnpm run typecheck",
    );
  });

  it.each([
    ["what npm puts there", { test: 'echo "Error: no test specified" && exit 1' }],
    ["what never ends", { test: "jest --watch" }],
    ["what is no check", { build: "tsc", format: "biome format", "lint:fix": "eslint --fix ." }],
    ["what is no script", { test: 5 } as never],
  ])("leaves out %s", async (_, scripts) => {
    const files = { "package.json": manifest(scripts) };
    expect(await find(files, { installed: ["npm"] })).toEqual({ checks: [], skipped: [] });
  });

  it.each([
    ["biome check .", {}, ["lint: npm run check"]],
    ["svelte-check --tsconfig ./tsconfig.json", {}, ["types: npm run check"]],
    ["npm run lint && npm test", {}, ["test: CI=true npm run check"]],
    ["npm run x && vitest", { test: "y" }, ["test: CI=true npm run test"]],
    ["biome check .", { lint: "y" }, ["lint: npm run lint"]],
  ])("recognizes a script named check that runs %j", async (text, more, checks) => {
    const files = { "package.json": manifest({ check: text, ...more }) };
    expect((await find(files, { installed: ["npm"] })).checks).toEqual(checks);
  });

  it("adds what the package's configuration says where no script does", async () => {
    const files = {
      "package.json": manifest({ test: "x" }),
      "tsconfig.json": "{}",
      "biome.json": "{}",
      "vitest.config.ts": "",
      "node_modules/.bin/tsc": "",
      "node_modules/.bin/biome": "",
      "node_modules/.bin/vitest": "",
    };
    expect((await find(files, { installed: ["npm"] })).checks).toEqual([
      "types: node_modules/.bin/tsc --noEmit -p .",
      "lint: node_modules/.bin/biome check .",
      "test: CI=true npm run test",
    ]);
  });

  it("calls programs of the directories above by their full path", async () => {
    const files = { "a b/tsconfig.json": "{}", "node_modules/.bin/tsc": "" };
    expect((await find(files, { directory: "/workspace/a b" })).checks).toEqual([
      "types: /workspace/node_modules/.bin/tsc --noEmit -p .",
    ]);
    const odd = { "a b/c/tsconfig.json": "{}", "a b/node_modules/.bin/tsc": "" };
    expect((await find(odd, { directory: "/workspace/a b/c" })).checks).toEqual([
      "types: '/workspace/a b/node_modules/.bin/tsc' --noEmit -p .",
    ]);
  });

  it("uses what a repository configures for all its packages, if its programs find that", async () => {
    const root = "/workspace/packages/a";
    const above = {
      "package.json": manifest({ lint: "x", test: "y" }),
      ...{ "pnpm-lock.yaml": "", "tsconfig.json": "{}", "biome.json": "{}" },
      "pyproject.toml": "[tool.ruff]\n[tool.pytest.ini_options]\n",
      "packages/eslint.config.js": "",
      "node_modules/.bin/biome": "",
      "node_modules/.bin/eslint": "",
    };
    const installed = ["npm", "pnpm", "ruff", "pytest", "cargo"];
    const found = async (files: Files, directory = root) =>
      (await find({ ...above, ...files }, { root, directory, installed })).checks;
    const source = { "packages/a/src/x.ts": "" };
    expect(await found(source)).toEqual(["lint: /workspace/node_modules/.bin/eslint ."]);
    expect(await found(source, `${root}/src`)).toEqual([]);
    expect(await found({ ...source, "packages/a/biome.json": "" })).toEqual([
      "lint: /workspace/node_modules/.bin/biome check .",
    ]);
    const scripted = { ...source, "packages/a/package.json": manifest({ lint: "x" }) };
    expect(await found(scripted)).toEqual(["lint: pnpm run lint"]);
    expect(await found({ "packages/a/x.py": "" })).toEqual(["lint: ruff check .", "test: pytest"]);
    // A member's build would be written beside the outermost manifest.
    const member = await found({ "packages/a/Cargo.toml": "", "Cargo.toml": "" });
    expect(member[0]).toBe("types: CARGO_TARGET_DIR=target cargo check --all-targets");
  });

  it("builds a TypeScript project that only refers to others", async () => {
    const files = {
      "tsconfig.json": '{ "files": [], "references": [{ "path": "a" }] }',
      "node_modules/.bin/tsc": "",
    };
    expect((await find(files)).checks).toEqual(["types: node_modules/.bin/tsc -b --noEmit"]);
  });

  it("uses makefile targets where no script exists", async () => {
    const makefile = "VAR := x\nlint other: deps\n\techo\ntest::\n\techo\n.PHONY: types\n";
    expect((await find({ Makefile: makefile }, { installed: ["make"] })).checks).toEqual([
      "lint: make lint",
      "test: make test",
    ]);
    const files = { Makefile: makefile, "package.json": manifest({ test: "x" }), "go.mod": "" };
    expect((await find(files, { installed: ["make", "npm", "go"] })).checks).toEqual([
      "types: go vet ./...",
      "lint: make lint",
      "test: CI=true npm run test",
      "test: go test ./...",
    ]);
  });

  it("treats a makefile's check target as its tests", async () => {
    expect((await find({ Makefile: "check:\n\tx\n" }, { installed: ["make"] })).checks).toEqual([
      "test: make check",
    ]);
  });

  it("takes recipes of a justfile, tasks of Deno and scripts of Composer", async () => {
    const justfile = "set shell := ['sh']\nlint:\n  x\n@test *args:\n  x\nalias t := test\n";
    expect((await find({ justfile }, { installed: ["just"] })).checks).toEqual([
      "lint: just lint",
      "test: just test",
    ]);
    const deno = '{\n // "x": {}\n "tasks": { "lint": { "command": "x" }, "test": "y", },\n}';
    expect((await find({ "deno.jsonc": deno }, { installed: ["deno"] })).checks).toEqual([
      "types: deno check .",
      "lint: deno task lint",
      "test: deno task test",
    ]);
    const composer = '{"scripts":{"test":["@a","@b"],"phpstan":"x"}}';
    expect((await find({ "composer.json": composer }, { installed: ["composer"] })).checks).toEqual(
      ["types: composer run-script phpstan", "test: composer run-script test"],
    );
  });

  it.each<[string, Files, string[], string[]]>([
    [
      "Rust",
      { "Cargo.toml": "" },
      ["cargo", "cargo-clippy"],
      ["types: cargo check --all-targets", "lint: cargo clippy --all-targets", "test: cargo test"],
    ],
    ["Go", { "go.mod": "" }, ["go"], ["types: go vet ./...", "test: go test ./..."]],
    [
      "Python",
      { "pyproject.toml": "[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n" },
      ["ruff", "mypy", "pytest"],
      ["types: mypy .", "lint: ruff check .", "test: pytest"],
    ],
    [
      "Python in an environment of its own",
      { "setup.cfg": "[flake8]\n", "tests/test_a.py": "", ".venv/bin/pytest": "" },
      ["flake8"],
      ["lint: flake8", "test: .venv/bin/pytest"],
    ],
    ["Python without any of it", { "pyproject.toml": "[project]\n" }, ["ruff", "pytest"], []],
    [
      "Gradle",
      { gradlew: "", "build.gradle": "" },
      [],
      [
        "types: ./gradlew --console=plain classes testClasses",
        "test: ./gradlew --console=plain test",
      ],
    ],
    [
      "Maven",
      { "pom.xml": "" },
      ["mvn"],
      ["types: mvn -B -q test-compile", "test: mvn -B -q test"],
    ],
    [
      ".NET",
      { "App.sln": "", "App.csproj": "" },
      ["dotnet"],
      ["types: dotnet build --nologo", "test: dotnet test --nologo"],
    ],
    [
      "Elixir",
      { "mix.exs": "", ".formatter.exs": "" },
      ["mix"],
      ["types: mix compile", "lint: mix format --check-formatted", "test: mix test"],
    ],
    ["ESLint", { ".eslintrc.cjs": "" }, ["eslint"], ["lint: eslint ."]],
    [
      "several languages",
      { "Cargo.toml": "", "go.mod": "" },
      ["cargo", "go"],
      [
        "types: cargo check --all-targets",
        "types: go vet ./...",
        "test: cargo test",
        "test: go test ./...",
      ],
    ],
  ])("knows what is usual for %s", async (_, files, ...[installed, checks]) => {
    expect((await find(files, { installed })).checks).toEqual(checks);
  });

  it("says what is not installed, and takes another program where there is one", async () => {
    expect(await find({ "Cargo.toml": "", "package.json": manifest({ lint: "x" }) })).toEqual({
      checks: [],
      skipped: [
        "types: Cargo.toml requires cargo, which is not installed.",
        "lint: package.json requires npm, which is not installed.",
        "lint: Cargo.toml requires cargo-clippy, which is not installed.",
        "test: Cargo.toml requires cargo, which is not installed.",
      ],
    });
    const python = { "ruff.toml": "", ".flake8": "" };
    expect((await find(python, { installed: ["flake8"] })).checks).toEqual(["lint: flake8"]);
  });

  it("treats a broken manifest as empty", async () => {
    const files = { "package.json": "{ broken", "composer.json": "[]", "deno.json": "null" };
    expect(await find(files, { installed: ["npm", "composer"] })).toEqual({
      checks: [],
      skipped: [
        "types: deno.json requires deno, which is not installed.",
        "lint: deno.json requires deno, which is not installed.",
        "test: deno.json requires deno, which is not installed.",
      ],
    });
  });
});
