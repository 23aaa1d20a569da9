import { describe, expect, it } from "vitest";
import { findDefinitionFault } from "../define-tool.ts";
import { ToolError } from "../tool-error.ts";
import { createTestRuntime } from "./create-test-runtime.ts";
import { describeToolContract } from "./describe-tool-contract.ts";
import { MockTool } from "./mock-tool.ts";

const runtime = createTestRuntime();

describe("MockTool", () => {
  it("is a sound tool that needs nothing and conflicts with nothing", () => {
    const tool = new MockTool({ name: "test_tool" });
    expect(tool.id).toBe("test_tool");
    expect(findDefinitionFault(tool)).toBeUndefined();
    expect(tool.requires).toEqual({});
    expect(tool.execution.serial).toBeUndefined();
    expect(tool.execution.resourceKeys?.({})).toEqual([]);
  });

  it("returns the output it was given and counts its calls", async () => {
    const tool = new MockTool({ name: "test_tool", output: "mock result" });
    expect(tool.callCount).toBe(0);
    expect(tool.lastInput).toBeUndefined();
    expect(await tool.execute({ a: 1 }, runtime)).toBe("mock result");
    expect(await tool.execute({ a: 2 }, runtime)).toBe("mock result");
    expect(tool.callCount).toBe(2);
    expect(tool.lastInput).toEqual({ a: 2 });
    expect(tool.inputs).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("has the names of the module contract and returns a ToolResult (002:230)", async () => {
    const tool = new MockTool({ name: "test_tool", output: "mock result" });
    expect(tool).toMatchObject({ name: "test_tool", input_schema: { type: "object" } });
    const result = await tool.execute({});
    expect(result).toEqual({ success: true, output: "mock result", error: null });
    expect(tool.call_count).toBe(1);
    const broken = new MockTool({ name: "broken", error: new ToolError("quota", "Used up.") });
    expect(await broken.execute({})).toEqual({
      success: false,
      output: null,
      error: { message: "Used up.", type: "quota" },
    });
  });

  it("makes its output of the input if told how", async () => {
    const tool = new MockTool({ name: "echo", output: (input: unknown) => ({ input }) });
    expect(await tool.execute("x", runtime)).toEqual({ input: "x" });
  });

  it("throws the error it was given, and counts that too", async () => {
    const error = new ToolError("quota", "Used up.");
    const tool = new MockTool({ name: "broke", error });
    await expect(tool.execute({}, runtime)).rejects.toBe(error);
    expect(tool.callCount).toBe(1);
  });

  it("takes over what else is declared, and nothing that is not", () => {
    const parameters = { type: "object", required: ["a"] } as const;
    const tool = new MockTool({
      name: "full",
      parameters,
      kind: "edit",
      source: "mcp",
      requires: { fs: { write: ["{workspace}/**"] } },
      timeoutMs: "none",
      outputSchema: { type: "object" },
      aliases: [{ name: "Full" }],
    });
    expect(tool).toMatchObject({ parameters, kind: "edit", source: "mcp", timeoutMs: "none" });
    expect(tool.output).toEqual({ type: "object" });
    expect(tool).toHaveProperty("aliases", [{ name: "Full" }]);
    const plain = new MockTool({ name: "plain" });
    expect(plain).not.toHaveProperty("timeoutMs");
    expect(plain).not.toHaveProperty("output");
  });

  it("remembers the calls of its copies", async () => {
    const tool = new MockTool({ name: "original" });
    await { ...tool, id: "copy" }.execute({}, runtime);
    expect(tool.callCount).toBe(1);
  });
});

describeToolContract(new MockTool({ name: "test_tool" }), [{ arguments: { anything: true } }]);
