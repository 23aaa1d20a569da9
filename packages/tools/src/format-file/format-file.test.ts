import { chmodSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Runtime } from "@haft/contract";
import { describeToolContract } from "@haft/contract/testing";
import type { Computer } from "@haft/core";
import { describe, expect, it } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { makeRunScope } from "../test-support/make-run-scope.ts";
import { openCommands } from "../test-support/open-commands.ts";
import { formatFile } from "./format-file.ts";

const [, makeDisk] = computers[1] ?? [];
const [, makeMemory] = computers[0] ?? [];

/** A program that does something to what it reads, in the place of a real formatter. */
const fake = (body: string): string => `#!/usr/bin/env node
const input = require("node:fs").readFileSync(0);
const args = process.argv.slice(2);
${body}`;

const trimming = fake(
  'process.stdout.write(Buffer.from(input.toString("latin1").replace(/ +$/gm, ""), "latin1"));',
);

function open(files: Files): Runtime & { root: string } {
  const computer = makeDisk?.(files) as Computer;
  const root = computer.roots[0] as string;
  for (const path of Object.keys(files)) {
    if (path.includes("/bin/") || path.includes("/.bin/")) chmodSync(`${root}/${path}`, 0o755);
  }
  const shell = computer.openShell(makeRunScope(computer, formatFile));
  return { ...openRuntime(computer, formatFile, { shell }), root };
}

describe("format_file", () => {
  it("formats with the project's own program and shows what it changed", async () => {
    const runtime = open({
      ".prettierrc": "",
      "node_modules/.bin/prettier": trimming,
      "src/a.ts": "let a;  \nlet b;\n",
    });
    const data = await formatFile.execute({ path: "src/a.ts" }, runtime);
    const path = `${runtime.root}/src/a.ts`;
    expect(data).toEqual({
      path,
      formatter: "prettier",
      changed: true,
      message: `Formatted ${path} with prettier.`,
      diff: expect.stringContaining("\n-let a;  \n+let a;\n let b;\n"),
    });
    expect(readFileSync(path, "utf8")).toBe("let a;\nlet b;\n");
  });

  it("formats with biome as it really is", async () => {
    const biome = fileURLToPath(new URL("../../../../node_modules/.bin/biome", import.meta.url));
    const exec = `#!/bin/sh\nexec "${biome}" "$@"\n`;
    const runtime = open({
      "biome.json": '{"formatter":{"indentStyle":"space"}}',
      "node_modules/.bin/biome": exec,
      "src/a.ts": "if (a) {\n\tb( 'c' )\n}\n",
      "src/broken.ts": "let = = 1\n",
    });
    await formatFile.execute({ path: "src/a.ts" }, runtime);
    expect(readFileSync(`${runtime.root}/src/a.ts`, "utf8")).toBe('if (a) {\n  b("c");\n}\n');
    expect(await formatFile.execute({ path: "src/a.ts" }, runtime)).toMatchObject({
      changed: false,
      message: expect.stringContaining("already formatted"),
    });
    await expect(formatFile.execute({ path: "src/broken.ts" }, runtime)).rejects.toMatchObject({
      code: "failed",
      message: expect.stringMatching(
        /biome could not format .*broken\.ts.*Expected an expression/su,
      ),
    });
    expect(readFileSync(`${runtime.root}/src/broken.ts`, "utf8")).toBe("let = = 1\n");
  });

  it("tells the program the file's name and starts it where its configuration is", async () => {
    const echo = fake("process.stdout.write(JSON.stringify([args, process.cwd()]));");
    const runtime = open({
      "pkg/.prettierrc.json": "{}",
      "node_modules/.bin/prettier": echo,
      "pkg/src/-a.ts": "let a;\n",
    });
    await formatFile.execute({ path: "pkg/src/-a.ts" }, runtime);
    expect(JSON.parse(readFileSync(`${runtime.root}/pkg/src/-a.ts`, "utf8"))).toEqual([
      ["--stdin-filepath", "src/-a.ts"],
      `${runtime.root}/pkg`,
    ]);
  });

  it.each([
    ["biome", "a.ts", { "biome.jsonc": "" }],
    [
      "prettier",
      "a.md",
      { "biome.json": "", "package.json": '{"devDependencies":{"prettier":"3"}}' },
    ],
    ["prettier", "a.ts", { "package.json": '{"prettier":{}}' }],
    ["dprint", "a.ts", { "dprint.json": "" }],
    ["deno", "a.ts", { "deno.json": "" }],
    ["black", "a.py", { "pyproject.toml": "[tool.black]\nline-length = 99\n\n[tool.ruff]\n" }],
    ["ruff", "a.py", { "pyproject.toml": "[tool.ruff.lint]\n" }],
    ["ruff", "a.pyi", { "ruff.toml": "" }],
    ["rustfmt", "src/a.rs", { "Cargo.toml": '[package]\nedition = "2024"\n' }],
    ["gofmt", "cmd/a.go", { "go.mod": "" }],
    ["clang-format", "a.cpp", { ".clang-format": "" }],
    ["shfmt", "a.sh", { ".editorconfig": "" }],
    ["stylua", "a.lua", { "stylua.toml": "" }],
    ["zig", "a.zig", { "build.zig": "" }],
    ["terraform", "a.tf", { "main.tf": "" }],
    ["taplo", "a.toml", { "taplo.toml": "" }],
    ["mix", "a.ex", { ".formatter.exs": "" }],
    ["ocamlformat", "a.ml", { ".ocamlformat": "" }],
  ])("finds %s for %s", async (formatter, path, configuration) => {
    const program = { [`.venv/bin/${formatter}`]: trimming };
    const runtime = open({ ...configuration, ...program, [path]: "a  \n" } as Files);
    expect(await formatFile.execute({ path }, runtime)).toMatchObject({ formatter, changed: true });
    expect(readFileSync(`${runtime.root}/${path}`, "utf8")).toBe("a\n");
  });

  it.skipIf(isMissing("bwrap"))(
    "uses the program and configuration of the repository for a package of a monorepo",
    async () => {
      const echo = fake("process.stdout.write(JSON.stringify([args, process.cwd()]));");
      const runtime = await openCommands(formatFile, {
        workspace: "repository/packages/a",
        sandbox: "required",
        files: {
          "../../.git/HEAD": "",
          "../../.prettierrc": "",
          "../../node_modules/.bin/prettier": echo,
          "../b/b.ts": "let b;\n",
          "src/a.ts": "let a;\n",
        },
      });
      await formatFile.execute({ path: "src/a.ts" }, runtime);
      expect(JSON.parse(readFileSync(`${runtime.root}/src/a.ts`, "utf8"))).toEqual([
        ["--stdin-filepath", "packages/a/src/a.ts"],
        runtime.root.replace("/packages/a", ""),
      ]);
      await expect(formatFile.execute({ path: "../b/b.ts" }, runtime)).rejects.toMatchObject({
        code: "out-of-scope",
      });
    },
  );

  it("takes the nearest configuration", async () => {
    const runtime = open({
      "biome.json": "",
      "docs/.prettierrc": "",
      "node_modules/.bin/prettier": trimming,
      "node_modules/.bin/biome": trimming,
      "docs/deep/a.ts": "a  \n",
      "src/a.ts": "a  \n",
    });
    const found = async (path: string): Promise<string> =>
      (await formatFile.execute({ path }, runtime)).formatter;
    expect([await found("docs/deep/a.ts"), await found("src/a.ts")]).toEqual(["prettier", "biome"]);
  });

  it.each([
    ["for which none is configured", "a.ts", "not-found", /biome \(biome\.json/u],
    ["without a known formatter", "a.xyz", "not-found", /No formatter is known/u],
    ["whose formatter is not installed", "b/a.lua", "unavailable", /stylua.*not installed/u],
  ])("refuses a file %s", async (_, path, ...[code, message]) => {
    const files = { "a.ts": "a  \n", "a.xyz": "a\n", "b/stylua.toml": "", "b/a.lua": "a\n" };
    await expect(formatFile.execute({ path }, open(files))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["fails", fake('console.error("\\u001b[31mLine 1 is odd\\u001b[0m"); process.exit(2);')],
    ["gives nothing", fake("")],
    ["dies", fake("process.kill(process.pid, 'SIGKILL');")],
    ["fails after it has printed", fake("console.log('x'); process.exitCode = 1;")],
  ])("leaves the file alone when the formatter %s", async (_, program) => {
    const runtime = open({
      ".prettierrc": "",
      "node_modules/.bin/prettier": program,
      "a.ts": "let a;  \n",
    });
    const call = formatFile.execute({ path: "a.ts" }, runtime);
    await expect(call).rejects.toMatchObject({ code: "failed" });
    await expect(call).rejects.not.toThrow("\u001b");
    expect(readFileSync(`${runtime.root}/a.ts`, "utf8")).toBe("let a;  \n");
  });

  it("notices when the file changes while it is formatted", async () => {
    const meanwhile = fake(
      'require("node:fs").writeFileSync("a.ts", "mine\\n"); process.stdout.write("theirs\\n");',
    );
    const runtime = open({
      ".prettierrc": "",
      "node_modules/.bin/prettier": meanwhile,
      "a.ts": "let a;  \n",
    });
    await expect(formatFile.execute({ path: "a.ts" }, runtime)).rejects.toMatchObject({
      code: "conflict",
    });
    expect(readFileSync(`${runtime.root}/a.ts`, "utf8")).toBe("mine\n");
  });

  it("keeps a byte order mark and the mode, and refuses what is not UTF-8", async () => {
    const runtime = open({
      ".prettierrc": "",
      "node_modules/.bin/prettier": fake('process.stdout.write(input[0] === 0xef ? "" : "x\\n");'),
      "a.ts": "\ufefflet a;\n",
      "latin.ts": Uint8Array.of(0xe4, 0x0a),
    });
    chmodSync(`${runtime.root}/a.ts`, 0o640);
    await formatFile.execute({ path: "a.ts" }, runtime);
    expect(readFileSync(`${runtime.root}/a.ts`, "utf8")).toBe("\ufeffx\n");
    expect(statSync(`${runtime.root}/a.ts`).mode & 0o777).toBe(0o640);
    await expect(formatFile.execute({ path: "latin.ts" }, runtime)).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("not UTF-8"),
    });
  });

  const files = {
    ".prettierrc": "",
    "node_modules/.bin/prettier": trimming,
    "a.ts": "a  \n",
    "a.txt": "",
  };
  const runtime = () => open(files);
  describeToolContract(formatFile, [
    { name: "a file", arguments: { path: "a.ts" }, runtime, expect: { data: { changed: true } } },
    {
      name: "a missing file",
      arguments: { path: "b.ts" },
      runtime,
      expect: { error: "not-found" },
    },
    { name: "a plain file", arguments: { path: "a.txt" }, runtime, expect: { error: "not-found" } },
    {
      name: "where nothing can be run",
      arguments: { path: "a.ts" },
      runtime: () => openRuntime(makeMemory?.(files) as Computer, formatFile),
      expect: { error: "unavailable" },
    },
    {
      name: "a path outside",
      arguments: { path: "/etc/passwd" },
      runtime,
      expect: { error: "out-of-scope" },
    },
    { name: "no path", arguments: {}, runtime, expect: { error: "invalid-arguments" } },
  ]);
});
