import { describe, expect, it } from "vitest";
import { createPlanFixture } from "./test-support/plan-fixture.ts";
import { greeterIn, scriptIn } from "./test-support/sample-modules.ts";

const tool = (more: string): string =>
  `export const mount = (c) => c.mount("tools", { name: "t", description: "d", execute: () => 1, ${more} });`;

const cases: readonly [string, Record<string, string>, RegExp][] = [
  [
    "throws in mount",
    scriptIn("bad", 'export const mount = () => { throw new Error("no\\x1b[2Jluck"); };'),
    /bad is left out\. noluck$/u,
  ],
  [
    "rejects with nothing",
    scriptIn("bad", "export const mount = () => Promise.reject();"),
    /bad is left out\. It gives no reason\./u,
  ],
  [
    "returns a number",
    scriptIn("bad", "export const mount = () => 5;"),
    /returned a number\. It must return/u,
  ],
  [
    "returns an object that is no tool",
    scriptIn("bad", "export const mount = () => ({});"),
    /tool of bad is left out.*no function execute/u,
  ],
  ["has a syntax error", scriptIn("bad", "export const mount = ;"), /bad is left out\./u],
  [
    "imports what is not there",
    scriptIn("bad", 'import "not-there-either"; export const mount = () => {};'),
    /not-there-either/u,
  ],
  [
    "exports no mount",
    scriptIn("bad", "export const other = 1;"),
    /does not export a function mount\. Add:/u,
  ],
  [
    "has an entry that is not there",
    { "bad/package.json": '{"exports": "./dist/index.js"}' },
    /names the entry point \.\/dist\/index\.js, which does not exist\. Build/u,
  ],
  ["has no entry", { "bad/package.json": "{}" }, /has no entry point\. Add it to package\.json/u],
  [
    "has a manifest that is not JSON",
    { "bad/package.json": "{" },
    /package\.json is not valid JSON: /u,
  ],
  ["is not there", {}, /\/bad does not exist\. Paths are relative to the plan/u],
  [
    "mounts a tool without execute",
    scriptIn("bad", tool("execute: undefined")),
    /"t", which has no function execute/u,
  ],
  [
    "mounts a tool without a description",
    scriptIn("bad", tool('description: ""')),
    /no description/u,
  ],
  [
    "mounts a tool with a name that is not legal",
    scriptIn("bad", tool('name: "a b"')),
    /"a b" is not valid/u,
  ],
  [
    "mounts a tool whose schema is no object",
    scriptIn("bad", tool("input_schema: 5")),
    /input_schema of t must be a JSON Schema object/u,
  ],
  [
    "mounts a tool whose input is no object",
    scriptIn("bad", tool('input_schema: { type: "string" }')),
    /root of the input_schema of t must have type "object"/u,
  ],
  [
    "mounts a tool that throws when it is looked at",
    scriptIn("bad", tool('get name() { throw new Error("shy"); }')),
    /shy/u,
  ],
  [
    "mounts nothing at all as a tool",
    scriptIn("bad", 'export const mount = (c) => c.mount("tools", null);'),
    /mounted null, which is not a tool/u,
  ],
  [
    "mounts a tool with a native one's name",
    scriptIn("bad", tool('name: "read"')),
    /There is already a tool read/u,
  ],
  [
    "mounts a tool with a native one's alias",
    scriptIn("bad", tool('name: "Read"')),
    /There is already a tool Read/u,
  ],
  [
    "mounts a tool with a reserved name",
    scriptIn("bad", tool('name: "shell"')),
    /There is already a tool shell/u,
  ],
  [
    "mounts a tool with another module's name",
    scriptIn("bad", tool('name: "greeter"')),
    /There is already a tool greeter/u,
  ],
  [
    "mounts something else than tools",
    scriptIn("bad", 'export const mount = async (c) => { await c.mount("hooks", {}); };'),
    /no mount point "hooks"/u,
  ],
];

describe("a module of a plan", () => {
  it.each(cases)(
    "causes one warning if it %s, and the others continue",
    async (_, files, message) => {
      const fixture = createPlanFixture({
        ...greeterIn("greeter"),
        ...files,
        "plan.yaml": `
tools:
  - { module: greeter, source: ./greeter }
  - { module: bad, source: ./bad }
`,
      });
      const plan = await fixture.open({ reservedNames: ["shell"] });
      expect(fixture.warnings).toEqual([expect.stringMatching(message)]);
      expect(plan.tools().map(({ id }) => id)).toEqual(["greeter"]);
      expect(
        fixture
          .session(plan)
          .tools()
          .map(({ name }) => name),
      ).toContain("greeter");
    },
  );

  it("causes one warning if it hangs in mount or while loading", async () => {
    const fixture = createPlanFixture({
      ...scriptIn("slow", "export const mount = () => new Promise(() => {});"),
      ...scriptIn(
        "slower",
        "await new Promise((go) => setTimeout(go, 60_000).unref()); export const mount = () => {};",
      ),
      "plan.yaml": `
tools:
  - { module: slow, source: ./slow }
  - { module: slower, source: ./slower }
`,
    });
    expect((await fixture.open({ mountLimitMs: 200 })).tools()).toEqual([]);
    expect(fixture.warnings.sort()).toEqual([
      "modules: slow is left out. Its mount() did not finish within 0.2 s.",
      "modules: slower is left out. Its mount() did not finish within 0.2 s.",
    ]);
  });

  it("may mount nothing without a warning", async () => {
    const fixture = createPlanFixture({
      ...scriptIn("quiet", "export async function mount() { return null; }"),
      "plan.yaml": "tools: [{ module: quiet, source: ./quiet }]",
    });
    const plan = await fixture.open();
    expect(plan.tools()).toEqual([]);
    expect(fixture.warnings).toEqual([]);
  });

  it("loses only its invalid tool", async () => {
    const source = `export const mount = (c) => {
  c.mount("tools", { name: "", description: "d", execute: () => 1 });
  c.mount("tools", { name: "good", description: "d", execute: () => 1 });
};`;
    const fixture = createPlanFixture({
      ...scriptIn("mixed", source),
      "plan.yaml": "tools: [{ module: mixed, source: ./mixed }]",
    });
    const plan = await fixture.open();
    expect(plan.tools().map(({ id }) => id)).toEqual(["good"]);
    expect(fixture.warnings).toEqual([expect.stringMatching(/A tool of mixed is left out/u)]);
  });

  it("leaves nothing behind if it contributed and then failed", async () => {
    const source = `export const mount = (c) => {
  c.registerContributor("events", "x", () => ["x"]);
  throw new Error("late");
};`;
    const fixture = createPlanFixture({
      ...scriptIn("late", source),
      "plan.yaml": "tools: [{ module: late, source: ./late }]",
    });
    const plan = await fixture.open();
    const session = fixture.session(plan);
    plan.attach(session);
    expect(await session.collectContributions("events")).toEqual([]);
  });
});
