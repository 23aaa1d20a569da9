import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPlanFixture } from "./test-support/plan-fixture.ts";
import { greeterIn, scriptIn } from "./test-support/sample-modules.ts";

describe("a mounted plan", () => {
  it("has the tools of its modules, which can be called by both of their names", async () => {
    const fixture = createPlanFixture({
      ...greeterIn("my-greeter", "my-greeter"),
      "plan.yaml": `
tools:
  - module: my-greeter
    source: ./my-greeter
    config: { greeting: Ahoy }
`,
    });
    const plan = await fixture.open();
    const session = fixture.session(plan);
    expect(plan.tools().map(({ id, source, isolation }) => ({ id, source, isolation }))).toEqual([
      { id: "my_greeter", source: "module", isolation: "none" },
    ]);
    expect(await session.call({ name: "my_greeter", arguments: { who: "you" } })).toMatchObject({
      data: "Ahoy, you!",
      metadata: { isolation: "none" },
    });
    expect(await session.call({ name: "my-greeter", arguments: { who: "me" } })).toMatchObject({
      data: "Ahoy, me!",
    });
    expect(await session.call({ name: "my_greeter", arguments: {} })).toMatchObject({
      metadata: { error_code: "invalid-arguments" },
    });
    expect(fixture.warnings).toEqual([]);
  });

  it("mounts the example of the guide", async () => {
    const guide = new URL("../../../../docs/guides/modules.md", import.meta.url);
    const example = /```ts\n(.*?)```/su.exec(readFileSync(guide, "utf8"))?.[1] ?? "";
    const fixture = createPlanFixture({
      "greet.ts": example,
      "plan.yaml": "tools: [{ module: greet, source: ./greet.ts, config: { greeting: Hi } }]",
    });
    const session = fixture.session(await fixture.open());
    expect(await session.call({ name: "greet", arguments: { who: "you" } })).toMatchObject({
      data: "Hi, you!",
    });
    expect(fixture.warnings).toEqual([]);
  });

  it("translates what tools give back: results, failures with their type (002:136), plain data, exceptions", async () => {
    const fixture = createPlanFixture({
      ...scriptIn(
        "many",
        `
const make = (name, execute) => ({ name, description: "One of many.", execute });
export function mount(coordinator) {
  coordinator.mount("tools", make("good", async () => ({ success: true, output: { rows: 3 } })));
  coordinator.mount("tools", make("bad", () => ({ success: false, error: { message: "No rows.", type: "ValueError" } })));
  coordinator.mount("tools", make("plain", () => [1, 2]));
  coordinator.mount("tools", make("thrown", () => { throw new Error("Out of paper."); }));
}`,
      ),
      "plan.json": '{\n\t"tools": [\n\t\t{"module": "many", "source": "many"}\n\t]\n}\n',
    });
    const session = fixture.session(await fixture.open({}, "plan.json"));
    expect(await session.call({ name: "good" })).toMatchObject({ data: { rows: 3 } });
    expect(await session.call({ name: "bad" })).toMatchObject({
      error_text: "No rows.",
      metadata: { error_code: "failed", error_type: "ValueError" },
    });
    expect(await session.call({ name: "plain" })).toMatchObject({ data: [1, 2] });
    expect(await session.call({ name: "thrown" })).toMatchObject({
      error_text: expect.stringContaining("Out of paper."),
      metadata: { error_code: "internal" },
    });
    expect(fixture.warnings).toEqual([]);
  });

  it("accepts complete Haft tools, and sets their source", async () => {
    const fixture = createPlanFixture({
      ...scriptIn(
        "whole",
        `
class Sizer {
  id = "sizer";
  description = "Tells the size of a file.";
  parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  requires = { fs: { read: ["{workspace}/**"] } };
  kind = "read";
  source = "builtin";
  isolation = "sandbox";
  execution = { resourceKeys: ({ path }) => [{ key: path, mode: "read" }] };
  #unit = "bytes";
  async execute({ path }, { fs }) {
    return { size: (await fs.stat(path)).size, unit: this.#unit };
  }
}
export const mount = () => new Sizer();`,
      ),
      "plan.yaml": "tools: [{module: whole, source: ./whole}]",
      "workspace/a.txt": "abc",
    });
    const plan = await fixture.open();
    expect(plan.tools()).toMatchObject([{ id: "sizer", source: "module", isolation: "none" }]);
    const session = fixture.session(plan);
    expect(await session.call({ name: "sizer", arguments: { path: "a.txt" } })).toMatchObject({
      data: { size: 3, unit: "bytes" },
    });
    expect(await session.call({ name: "sizer", arguments: { path: "/etc/passwd" } })).toMatchObject(
      { metadata: { error_code: "out-of-scope" } },
    );
  });

  it("cleans up, the latest first, also after one that throws or never ends", async () => {
    const module = (name: string, end: string): Record<string, string> =>
      scriptIn(
        name,
        `import { appendFileSync } from "node:fs";
export const mount = (_, { log }) => async () => { appendFileSync(log, "${name} "); ${end} };`,
      );
    const fixture = createPlanFixture({
      ...module("first", ""),
      ...module("second", 'throw new Error("stuck");'),
      ...module("third", ""),
    });
    const log = join(fixture.directory, "log");
    const entry = (name: string): object => ({
      module: name,
      source: `./${name}`,
      config: { log },
    });
    const tools = ["first", "second", "third"].map(entry);
    writeFileSync(join(fixture.directory, "plan.json"), JSON.stringify({ tools }));
    const plan = await fixture.open({}, "plan.json");
    expect(existsSync(log)).toBe(false);
    await plan.close();
    await plan.close();
    expect(readFileSync(log, "utf8")).toBe("third second first ");
    expect(fixture.warnings).toEqual(["modules: The cleanup of second failed. stuck"]);
  });

  it("hands contributions to the sessions that are attached, for as long as they are", async () => {
    const fixture = createPlanFixture({
      ...greeterIn("greeter"),
      "plan.yaml": "tools: [{module: greeter, source: ./greeter}]",
    });
    const plan = await fixture.open();
    const session = fixture.session(plan);
    const collect = (): Promise<unknown[]> => session.collectContributions("observability.events");
    expect(await collect()).toEqual([]);
    const detach = plan.attach(session);
    expect(await collect()).toEqual([["greeter:started"]]);
    await detach();
    expect(await collect()).toEqual([]);
    plan.attach(session);
    await plan.close();
    expect(await collect()).toEqual([]);
  });

  it("uses the mount name for a tool whose own name is taken", async () => {
    const twin = scriptIn(
      "twin",
      `export const mount = (coordinator, { name }) =>
  coordinator.mount("tools", { name: "read", description: "x", execute: () => name }, { name });`,
    );
    const fixture = createPlanFixture({
      ...twin,
      "plan.yaml": `
tools:
  - { module: a, source: ./twin, config: { name: one } }
  - { module: b, source: ./twin, config: { name: two } }
`,
    });
    const plan = await fixture.open();
    expect(plan.tools().map(({ id }) => id)).toEqual(["one", "two"]);
    expect(await fixture.session(plan).call({ name: "two" })).toMatchObject({ data: "two" });
  });

  it("renames tools with `as`, and replaces built-in tools with `prefer` (amplifier-module-tool-bash)", async () => {
    const bash = scriptIn(
      "tool-bash",
      `const make = (name) => ({ name, description: "x", execute: () => "of the module" });
export const mount = (coordinator, { names }) => {
  for (const name of names) coordinator.mount("tools", make(name), { name });
};`,
    );
    const fixture = createPlanFixture({
      ...bash,
      "plan.yaml": `
tools:
  - { module: a, source: ./tool-bash, config: { names: [bash] }, as: other_bash }
  - { module: b, source: ./tool-bash, config: { names: [read, grep] }, as: { read: other_read, lost: x } }
  - { module: c, source: ./tool-bash, config: { names: [glob, write_file] }, prefer: true }
  - { module: d, source: ./tool-bash, config: { names: [glob] }, prefer: true }
  - { module: e, source: ./tool-bash, config: { names: [one, two] }, as: three }
  - { module: tool-todo, prefer: true }
`,
    });
    const plan = await fixture.open();
    expect(plan.tools().map(({ id }) => id)).toEqual([
      "other_bash",
      "other_read",
      "glob",
      "write_file",
    ]);
    const builtins = plan.builtins().map(({ id }) => id);
    expect(builtins).toEqual(expect.arrayContaining(["bash", "read", "grep"]));
    // `write_file` is an alias of `write`, as in amplifier-module-tool-filesystem.
    for (const id of ["glob", "write"]) expect(builtins).not.toContain(id);
    const session = fixture.session(plan);
    const made = { data: "of the module" };
    for (const name of ["other_bash", "other_read", "glob", "write_file"]) {
      expect(await session.call({ name, arguments: {} })).toMatchObject(made);
    }
    expect(fixture.warnings).toEqual([
      expect.stringMatching(/tool-todo: "as" and "prefer" were ignored/u),
      expect.stringMatching(
        /A tool of b is left out\. There is already a tool grep\. .*"as".*"prefer: true"/u,
      ),
      expect.stringMatching(/b: "as" names lost, but the module mounts read, grep\./u),
      expect.stringMatching(/A tool of d is left out\. There is already a tool glob/u),
      expect.stringMatching(
        /A tool of e is left out\. "as" is one name, and the module mounts 2 tools\./u,
      ),
      expect.stringMatching(/A tool of e is left out\./u),
    ]);
  });
});
