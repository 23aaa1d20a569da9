import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPlanFixture } from "../test-support/plan-fixture.ts";
import { contractTool, greeterIn, pythonIn, scriptIn } from "../test-support/sample-modules.ts";
import type { ChecklistId } from "./checklist-item.ts";
import { type ModuleReport, validateModule } from "./validate-module.ts";

const schema = `{ type: "object", properties: { who: { type: "string" } }, required: ["who"] }`;

function make(more: string, register = true): Record<string, string> {
  return scriptIn(
    "module",
    `
const schema = ${schema};
const refuse = { success: false, error: { message: "who is required" } };
export const mount = (c) => {
  ${register ? 'c.registerContributor("observability.events", "x", () => ["x:started"]);' : ""}
  return { name: "tool", description: "d", input_schema: schema, execute: () => refuse, ${more} };
};`,
  );
}

async function validate(
  files: Readonly<Record<string, string>>,
  { config = {}, limitMs = 3_000 }: { config?: Record<string, unknown>; limitMs?: number } = {},
): Promise<ModuleReport & { by: (status: string) => ChecklistId[]; said: (id: string) => string }> {
  const { computer, directory, warnings } = createPlanFixture(files);
  const report = await validateModule(join(directory, "module"), {
    computer,
    environment: process.env,
    config,
    takenNames: ["read"],
    limitMs,
    warn: (message) => warnings.push(message),
  });
  const by = (status: string): ChecklistId[] =>
    report.items.filter((item) => item.status === status).map(({ id }) => id);
  const said = (wanted: string): string => {
    const { message, remedy } = report.items.find(({ id }) => id === wanted) ?? {};
    return `${message} ${remedy}`;
  };
  return { ...report, by, said };
}

describe("validateModule", () => {
  it("passes a sound module at every point that can be seen", async () => {
    const report = await validate(make(""));
    expect(report.by("fail")).toEqual([]);
    expect(report.by("skip")).toEqual(["logs"]);
    expect(report).toMatchObject({ passed: true, language: "javascript", tools: ["tool"] });
  });

  it.each([
    {
      what: "raises",
      more: 'execute: () => { throw new Error("boom"); }',
      failed: ["errors"],
      said: /was called with \{\}: boom/u,
    },
    {
      what: "never ends",
      more: "execute: () => new Promise(() => {})",
      failed: ["errors"],
      said: /no result within/u,
    },
    {
      what: "takes wrong input",
      more: "execute: () => ({ success: true })",
      failed: ["validates-input"],
      said: /without the required who, and did not refuse it/u,
    },
    {
      what: "returns plain data",
      more: "execute: () => 5",
      failed: ["tool-result", "validates-input"],
      said: /did not return a ToolResult/u,
    },
    {
      what: "has no schema",
      more: "input_schema: undefined",
      failed: ["input-schema"],
      said: /has no input_schema/u,
    },
    {
      what: "has an array as its input",
      more: 'input_schema: { type: "array" }',
      failed: ["input-schema"],
      said: /root/u,
    },
    {
      what: "has a schema that is none",
      more: 'input_schema: { type: "object", properties: { a: { type: "strong" } } }',
      failed: ["input-schema"],
      said: /not a valid JSON Schema/u,
    },
    {
      what: "has no description",
      more: "description: undefined",
      failed: ["protocol"],
      said: /no description/u,
    },
    {
      what: "has no execute",
      more: "execute: undefined",
      failed: ["protocol"],
      said: /no function execute/u,
    },
  ])("reports a tool that $what", async ({ more, failed, said }) => {
    const report = await validate(make(more));
    expect(report.by("fail")).toEqual(failed);
    expect(report.said(failed[0] as string)).toMatch(said);
    expect(report.passed).toBe(false);
  });

  it("passes a tool with the name of a built-in tool, and says how to mount it", async () => {
    const report = await validate(make('name: "read"'));
    expect(report.passed).toBe(true);
    expect(report.said("protocol")).toMatch(/built-in tool\. Mount it with "as: NAME" or "prefer/u);
  });

  it("passes the contract's own example, and names the statement that is violated (002:188)", async () => {
    const report = await validate(pythonIn("module", contractTool), { limitMs: 10_000 });
    expect(report.items.filter(({ status }) => status === "fail")).toEqual([]);
    // As the contract writes mount() before it comes to events.
    const early = contractTool.replace(
      /coordinator\.register_contributor\((?:.|\n)*?\n {4}\)/u,
      "",
    );
    const { items } = await validate(pythonIn("module", early), { limitMs: 10_000 });
    expect(items.filter(({ status }) => status === "fail")).toMatchObject([
      { title: "Registers observability events", message: "It does not register events." },
    ]);
  });

  it("reports a module that registers no events", async () => {
    const report = await validate(make("", false));
    expect(report.by("fail")).toEqual(["observability"]);
    expect(report.said("observability")).toMatch(
      /It does not register events\. Call coordinator\.register_contributor/u,
    );
  });

  it("reports a module that can't be mounted, and looks no further", async () => {
    const report = await validate(
      scriptIn("module", 'export const mount = () => { throw new Error("luck"); };'),
    );
    expect(report.by("fail")).toEqual(["entry-point"]);
    expect(report.by("pass")).toEqual([]);
    expect(report.said("entry-point")).toMatch(/luck/u);
    expect((await validate({})).by("fail")).toEqual(["entry-point"]);
  });

  it("gives a module its config, and reports one that mounts nothing without", async () => {
    const files = scriptIn(
      "module",
      `
export const mount = (c, { key }) => {
  c.registerContributor("observability.events", "x", () => ["x"]);
  if (key) return { name: "keyed", description: "d", input_schema: ${schema}, execute: () => ({ success: false, error: { message: "no" } }) };
};`,
    );
    expect((await validate(files)).by("fail")).toEqual(["protocol"]);
    expect((await validate(files, { config: { key: "k" } })).passed).toBe(true);
  });

  it("judges whole tools by the path that their calls take", async () => {
    const report = await validate({
      ...greeterIn("module"),
      "module/src/index.ts": `
import { defineTool } from "@haft/contract";
export async function mount(c) {
  c.register_contributor("observability.events", "x", () => ["x"]);
  return defineTool({ id: "whole", description: "d", parameters: ${schema}, requires: {}, kind: "other", execute: async () => 1 });
}`,
    });
    expect(report.by("fail")).toEqual([]);
    expect(report.tools).toEqual(["whole"]);
  });

  it("judges modules in Python, sound ones and others", async () => {
    const source = (execute: string): string => `
class MyTool:
    name = "my_tool"
    description = "d"
    input_schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    async def execute(self, input):
        ${execute}

async def mount(coordinator, config):
    await coordinator.mount("tools", MyTool(), name="my-tool")
    coordinator.register_contributor("observability.events", "my-tool", lambda: ["my-tool:started"])
`;
    const head = "from amplifier_core import ToolResult\n";
    const sound = 'return ToolResult(success=False, error={"message": "a is required"})';
    const report = await validate(pythonIn("module", head + source(sound)), { limitMs: 10_000 });
    expect(report.by("fail")).toEqual([]);
    expect(report).toMatchObject({ passed: true, language: "python", tools: ["my_tool"] });
    const bad = await validate(pythonIn("module", source('return input["a"]')), {
      limitMs: 10_000,
    });
    expect(bad.by("fail")).toEqual(["errors"]);
    expect(bad.said("errors")).toMatch(/KeyError/u);
  });
});
