import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { repoOverview } from "./repo-overview.ts";

const files = {
  "README.md": "# Project\n",
  "AGENTS.md": "Be kind.\n",
  "package.json": JSON.stringify({
    name: "thing",
    main: "./dist/index.js",
    bin: { thing: "./bin.js" },
    scripts: { build: "tsc", test: "vitest" },
  }),
  "src/index.ts": "export {};\n",
  "src/deep/a.ts": "a\n",
  "src/deep/er/b.ts": "b\n",
  "broken/package.json": "{",
  ".git/HEAD": "",
  ".gitignore": "out/\n",
  "out/c.js": "",
  ".env": "KEY=1",
};

describe.each(computers)("repo_overview %s", (_, make) => {
  it("counts files and languages, and names where to begin", async () => {
    const computer = make(files);
    const data = await repoOverview.execute({}, openRuntime(computer, repoOverview));
    expect(data).toMatchObject({ path: computer.roots[0], files: 7 });
    expect(data.languages).toEqual([
      { name: "TypeScript", files: 3, bytes: 15 },
      { name: "JSON", files: 2, bytes: files["package.json"].length + 1 },
      { name: "Markdown", files: 2, bytes: 19 },
    ]);
    expect(data.entry_points).toEqual([
      { path: "AGENTS.md", about: "guidance for agents" },
      { path: "README.md", about: "introduction" },
      {
        path: "package.json",
        about: "npm package: thing; main ./dist/index.js; bin thing; scripts build, test",
      },
      { path: "broken/package.json", about: "npm package" },
      { path: "src/index.ts", about: "module entry" },
    ]);
    expect(data.content).toContain("src/ (3 files)\n  deep/ (2 files)\n    er/ (1 file)\n");
    expect(data.content).not.toMatch(/out\/|\.env/u);
  });

  it("shows as many levels as it is told", async () => {
    const runtime = openRuntime(make(files), repoOverview);
    const { content } = await repoOverview.execute({ depth: 1 }, runtime);
    expect(content).toContain("src/ (3 files)");
    expect(content).not.toContain("deep/");
  });

  it("stays on one page, whatever the project is like", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, index) => [`directory-${index}/${"x".repeat(80)}.ts`, ""]),
    );
    const data = await repoOverview.execute({}, openRuntime(make(many), repoOverview));
    expect(data.files).toBe(2_000);
    expect(JSON.stringify(data).length).toBeLessThan(16 * 1024);
  });

  const runtime = () => openRuntime(make(files), repoOverview);
  describeToolContract(repoOverview, [
    { name: "a project", arguments: {}, runtime, expect: { data: { files: 7 } } },
    {
      name: "a directory",
      arguments: { path: "src", depth: 2 },
      runtime,
      expect: { data: { files: 3 } },
    },
    { name: "a missing one", arguments: { path: "no" }, runtime, expect: { error: "not-found" } },
    {
      name: "one outside",
      arguments: { path: "/etc" },
      runtime,
      expect: { error: "out-of-scope" },
    },
    {
      name: "no depth",
      arguments: { depth: 0 },
      runtime,
      expect: { error: "invalid-arguments" },
    },
  ]);
});
