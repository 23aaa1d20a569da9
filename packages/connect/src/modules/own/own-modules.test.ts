import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createPlanFixture, type PlanFixture } from "../test-support/plan-fixture.ts";

interface Opened extends PlanFixture {
  readonly calls: Session["call"];
  readonly names: readonly string[];
}

async function open(tools: string, files: Readonly<Record<string, string>> = {}): Promise<Opened> {
  const fixture = createPlanFixture({ ...files, "plan.yaml": `tools:\n  - ${tools}\n` });
  const plan = await fixture.open();
  const session = fixture.session(plan);
  return { ...fixture, calls: session.call, names: plan.builtins().map(({ id }) => id) };
}

const code = (error_code: string): object => ({ metadata: { error_code } });

describe("tool-filesystem of a plan", () => {
  it("reads no file beyond max_size and leaves none", async () => {
    const { calls, warnings, workspace } = await open(
      "{ module: tool-filesystem, config: { max_size: 10 } }",
      { "workspace/small.txt": "needle\n", "workspace/large.txt": "needle in much hay\n" },
    );
    expect(await calls({ name: "read", arguments: { path: "small.txt" } })).toMatchObject({
      type: "output",
    });
    expect(await calls({ name: "read", arguments: { path: "large.txt" } })).toMatchObject({
      error_text: expect.stringMatching(/has 19 bytes; the mount plan allows 10 \(max_size\)/u),
      metadata: { error_code: "too-large", absolute_path: join(workspace, "large.txt") },
    });
    const range = { path: "large.txt", byte_offset: 0, byte_limit: 4 };
    expect(await calls({ name: "read", arguments: range })).toMatchObject(code("too-large"));
    expect(await calls({ name: "read", arguments: { path: "." } })).toMatchObject({
      type: "output",
    });
    const found = await calls({ name: "grep", arguments: { pattern: "needle" } });
    expect(JSON.stringify(found)).toContain("small.txt");
    expect(JSON.stringify(found)).not.toContain("large.txt");
    const content = "far too much";
    expect(await calls({ name: "write", arguments: { path: "new.txt", content } })).toMatchObject(
      code("too-large"),
    );
    const grow = { path: "small.txt", old_string: "needle", new_string: content };
    expect(await calls({ name: "edit", arguments: grow })).toMatchObject(code("too-large"));
    const patch = `*** Begin Patch\n*** Add File: p.txt\n+${content}\n*** End Patch\n`;
    expect(await calls({ name: "apply_patch", arguments: { patch } })).toMatchObject(
      code("too-large"),
    );
    const fits = { path: "new.txt", content: "fits" };
    expect(await calls({ name: "write", arguments: fits })).toMatchObject({ type: "output" });
    expect(warnings).toEqual([]);
  });

  it("touches nothing outside of allowed_paths", async () => {
    const { calls, warnings, names } = await open(
      "{ module: tool-filesystem, config: { allowed_paths: [src, docs] } }",
      { "workspace/src/a.txt": "a", "workspace/b.txt": "b", "workspace/srcs/c.txt": "c" },
    );
    const read = (path: string): Promise<unknown> => calls({ name: "read", arguments: { path } });
    expect(await read("src/a.txt")).toMatchObject({ type: "output" });
    expect(await read("b.txt")).toMatchObject(code("out-of-scope"));
    expect(await read("srcs/c.txt")).toMatchObject(code("out-of-scope"));
    const write = (path: string): Promise<unknown> =>
      calls({ name: "write", arguments: { path, content: "x" } });
    expect(await write("docs/new.md")).toMatchObject({ type: "output" });
    expect(await write("b.txt")).toMatchObject(code("out-of-scope"));
    expect(names).toContain("bash");
    expect(warnings).toEqual([]);
  });

  it("opens an absolute path outside of the workspace, and writes where it may write", async () => {
    const { directory, open: openPlan, session } = createPlanFixture({ "other/a.txt": "a" });
    const config = { allowed_paths: [`${directory}/other`, "."], allowed_write_paths: ["out"] };
    const plan = { tools: [{ module: "tool-filesystem", config }] };
    writeFileSync(join(directory, "plan.json"), JSON.stringify(plan));
    const { call } = session(await openPlan({}, "plan.json"));
    const path = join(directory, "other/a.txt");
    expect(await call({ name: "read", arguments: { path } })).toMatchObject({ type: "output" });
    const write = (place: string): Promise<unknown> =>
      call({ name: "write", arguments: { path: place, content: "x" } });
    expect(await write(path)).toMatchObject(code("out-of-scope"));
    expect(await write("in/a.txt")).toMatchObject(code("out-of-scope"));
    expect(await write("out/a.txt")).toMatchObject({ type: "output" });
  });

  it("is left out with its tools if a limit can't be read", async () => {
    const { names, warnings } = await open(
      "{ module: tool-filesystem, config: { max_size: much } }",
    );
    expect(names).not.toContain("read");
    expect(names).toContain("bash");
    expect(warnings).toEqual([
      expect.stringMatching(/tool-filesystem is left out, and with it read, .*max_size is "much"/u),
    ]);
  });

  it("is left out with its tools if a variable is not set", async () => {
    const { names, warnings } = await open(
      `{ module: tool-filesystem, config: { allowed_paths: ["\${HAFT_TEST_UNSET}"] } }`,
    );
    expect(names).not.toContain("write");
    expect(warnings).toEqual([expect.stringMatching(/HAFT_TEST_UNSET is not set/u)]);
  });
});

describe("the other modules of Haft's own", () => {
  it("bound commands by their programs and their time", async () => {
    const { calls, warnings } = await open(
      "{ module: tool-bash, config: { timeout: 3, allowed_commands: [echo, sleep], denied_commands: [rm] } }",
    );
    const bash = (command: string, more: object = {}): Promise<unknown> =>
      calls({ name: "bash", arguments: { command, ...more } });
    expect(await bash("echo hello")).toMatchObject({ data: { output: "hello\n" } });
    expect(await bash("echo a; ls")).toMatchObject(code("out-of-scope"));
    expect(await bash("sleep 20", { timeout_ms: 20_000 })).toMatchObject(code("timeout"));
    expect(await calls({ name: "job_start", arguments: { command: "ls" } })).toMatchObject(
      code("out-of-scope"),
    );
    expect(warnings).toEqual([
      expect.stringMatching(
        /unknown key denied_commands was ignored\. .*haft permissions add 'bash rm deny'/u,
      ),
    ]);
  });

  it("bound the hosts of pages", async () => {
    const { calls } = await open(
      '{ module: tool-web, config: { allowed_hosts: ["docs.example.com"] } }',
    );
    const url = "https://example.org/";
    expect(await calls({ name: "web_fetch", arguments: { url } })).toMatchObject(
      code("out-of-scope"),
    );
  });

  it("bound searches, and know what they do not know", async () => {
    const { calls, warnings } = await open(
      "{ module: tool-search, config: { allowed_paths: [src], max_results: 5 } }",
      { "workspace/src/a.txt": "needle", "workspace/b.txt": "needle" },
    );
    const src = { pattern: "needle", path: "src" };
    expect(await calls({ name: "grep", arguments: src })).toMatchObject({ type: "output" });
    expect(await calls({ name: "grep", arguments: { pattern: "needle" } })).toMatchObject(
      code("out-of-scope"),
    );
    expect(warnings).toEqual([
      "modules: tool-search: unknown key max_results was ignored. Known keys: allowed_paths.",
    ]);
  });

  it("leave agents as they are, and say that they take no config", async () => {
    expect((await open("{ module: tool-task }")).warnings).toEqual([]);
    const { warnings } = await open("{ module: tool-task, config: { depth: 3 } }");
    expect(warnings).toEqual([
      "modules: tool-task: unknown key depth was ignored. It has no configuration.",
    ]);
  });

  it("keep the source of their tools, and those that they do not cover", async () => {
    const fixture = createPlanFixture({ "plan.yaml": "tools: [{ module: tool-todo }]" });
    const plan = await fixture.open();
    expect(plan.tools()).toEqual([]);
    expect(plan.builtins().every(({ source }) => source === "builtin")).toBe(true);
    expect(plan.builtins().map(({ id }) => id)).toContain("read");
  });
});
