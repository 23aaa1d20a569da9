import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { openSession } from "../test-support/open-session.ts";
import { type GlobArguments, glob } from "./glob.ts";

describe.each(computers)("glob %s", (_, make) => {
  const find = async (files: Files, args: GlobArguments, settings = {}) => {
    const computer = make(files);
    const runtime = openRuntime(computer, glob, { settings });
    const data = await glob.execute(args, runtime);
    const root = `${computer.roots[0]}/`;
    return { ...data, names: data.files.map((file) => file.replace(root, "")) };
  };
  const many = (count: number): Files =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${1_000 + index}.txt`, ""]));

  it("gives absolute paths in their order", async () => {
    const files = { "b.ts": "", "a.ts": "", "c/d.ts": "", "e.md": "" };
    const found = await find(files, { pattern: "**/*.ts" });
    expect(found.names).toEqual(["a.ts", "b.ts", "c/d.ts"]);
    expect(found.files.every((file) => file.startsWith("/"))).toBe(true);
    expect(found.remaining).toBe(0);
  });

  it.each([
    ["*.json", ["a.json"]],
    ["**/*.json", ["a.json", "src/b.json"]],
    ["src/**/*.ts", ["src/a.ts", "src/x/b.ts", "src/y/c.ts"]],
    ["src/[x]/*.ts", ["src/x/b.ts"]],
    ["**/*.{json,md}", ["a.json", "r.md", "src/b.json"]],
    ["**/?.md", ["r.md"]],
    ["none", []],
  ])("understands %s", async (pattern, names) => {
    const files = { "a.json": "", "src/b.json": "", "src/a.ts": "", "r.md": "" };
    const more = { "src/x/b.ts": "", "src/y/c.ts": "" };
    expect((await find({ ...files, ...more }, { pattern })).names).toEqual(names);
  });

  it("looks below the directory it is told", async () => {
    const files = { "src/a.ts": "", "test/a.ts": "" };
    expect((await find(files, { pattern: "*.ts", path: "src" })).names).toEqual(["src/a.ts"]);
  });

  it("leaves out what is ignored or secret, also where the pattern names it", async () => {
    const files = {
      ".git/HEAD": "",
      ".gitignore": "out/\n*.log\n",
      "out/a.ts": "",
      "b.log": "",
      ".env": "",
      c: "",
    };
    expect((await find(files, { pattern: "**/*" })).names).toEqual(["c"]);
    for (const pattern of ["out/a.ts", "b.log", ".env"]) {
      expect((await find(files, { pattern })).names).toEqual([]);
    }
  });

  it("gives a page of what fits, and how many follow", async () => {
    const files = many(10);
    const page = await find(files, { pattern: "*", limit: 3, offset: 4 });
    expect(page.names).toEqual(["f1004.txt", "f1005.txt", "f1006.txt"]);
    expect(page.remaining).toBe(3);
    expect(await find(files, { pattern: "*", offset: 99 })).toMatchObject({
      files: [],
      remaining: 0,
    });
    const limited = await find(files, { pattern: "*" }, { files: 2 });
    expect([limited.names.length, limited.remaining]).toEqual([2, 8]);
  });

  it("shows 1,000 files, counts the others and keeps them (003:135)", async () => {
    const fit = await openSession(make(many(1_000))).call("glob", { pattern: "*.txt" });
    expect(fit).toMatchObject({ data: { remaining: 0 } });
    expect(fit.metadata).not.toHaveProperty("truncated");
    const computer = make(many(2_203));
    const { call, run } = openSession(computer);
    const cut = await call("glob", { pattern: "*.txt" });
    expect(cut).toMatchObject({
      data: { files: expect.objectContaining({ length: 1_000 }), remaining: 1_203 },
      metadata: { truncated: true, output_path: expect.any(String) },
    });
    const rest = await run("glob", { pattern: "*.txt", offset: 2_200 });
    expect(rest).toMatchObject({ files: expect.objectContaining({ length: 3 }), remaining: 0 });
    const kept = await run("read", { path: cut.metadata.output_path ?? "", offset: 2_203 });
    expect(kept).toMatchObject({ content: expect.stringContaining("f3202.txt") });
  });

  it("sees what a call before it wrote and deleted", async () => {
    const computer = make({ a: "" });
    const { run } = openSession(computer);
    await run("write", { path: "d/b", content: "" });
    await run("delete_file", { path: "a" });
    expect(await run("glob", { pattern: "**/*" })).toEqual({
      files: [`${computer.roots[0]}/d/b`],
      remaining: 0,
    });
  });

  const runtime = () => openRuntime(make({ "a.ts": "", "d/b.ts": "" }), glob);
  describeToolContract(glob, [
    { name: "a pattern", arguments: { pattern: "**/*.ts" }, runtime },
    {
      name: "a page",
      arguments: { pattern: "**/*.ts", limit: 1 },
      runtime,
      expect: { data: { remaining: 1 } },
    },
    {
      name: "nothing",
      arguments: { pattern: "*.rs", path: "d" },
      runtime,
      expect: { data: { files: [] } },
    },
    {
      name: "a missing directory",
      arguments: { pattern: "*", path: "none" },
      runtime,
      expect: { error: "not-found" },
    },
    {
      name: "a path outside",
      arguments: { pattern: "*", path: "/etc" },
      runtime,
      expect: { error: "out-of-scope" },
    },
    { name: "no pattern", arguments: {}, runtime, expect: { error: "invalid-arguments" } },
    {
      name: "no room",
      arguments: { pattern: "*", limit: -1 },
      runtime,
      expect: { error: "invalid-arguments" },
    },
  ]);
});
