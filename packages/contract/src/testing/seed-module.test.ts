import { describe, expect, it } from "vitest";
import type { Coordinator, Mounted } from "../coordinator.ts";
import type { JsonSchema } from "../json-schema.ts";
import type { ModuleTool, ModuleToolResult } from "../module-tool.ts";
import { MockCoordinator } from "./mock-coordinator.ts";
import { MockTool } from "./mock-tool.ts";

/** The tool of the module contract, line by line. */
class MyTool implements ModuleTool {
  readonly #config: { readonly prefix?: string };

  constructor(config: { readonly prefix?: string } = {}) {
    this.#config = config;
  }

  get name(): string {
    return "my_tool";
  }

  get description(): string {
    return "Performs specific action with given parameters.";
  }

  get input_schema(): JsonSchema {
    return {
      type: "object",
      properties: {
        required_param: { type: "string", description: "Description of parameter" },
        optional_param: { type: "integer", default: 10 },
      },
      required: ["required_param"],
    };
  }

  async execute(input: Readonly<Record<string, unknown>>): Promise<ModuleToolResult> {
    try {
      const { required_param } = input;
      if (typeof required_param !== "string" || required_param === "") {
        return { success: false, error: { message: "required_param is required" } };
      }
      return { success: true, output: this.#work(required_param), error: null };
    } catch (error) {
      const { message, name } = error as Error;
      return { success: false, error: { message, type: name } };
    }
  }

  #work(param: string): string {
    if (param === "broken") throw new RangeError("out of order");
    return `${this.#config.prefix ?? ""}${param}`;
  }
}

async function mount(coordinator: Coordinator, config: { prefix?: string }): Promise<Mounted> {
  const tool = new MyTool(config);
  await coordinator.mount("tools", tool, { name: "my-tool" });
  coordinator.register_contributor("observability.events", "my-tool", () => [
    "my-tool:started",
    "my-tool:completed",
    "my-tool:error",
  ]);
  return tool;
}

describe("the examples of the module contract", () => {
  it("work as TypeScript: a tool is tested by executing it", async () => {
    const tool = new MyTool();
    const result = await tool.execute({ required_param: "value" });
    expect(result.success).toBe(true);
    expect(result.error).toBe(null);
    expect(await tool.execute({})).toEqual({
      success: false,
      error: { message: "required_param is required" },
    });
    expect(await tool.execute({ required_param: "broken" })).toMatchObject({
      error: { message: "out of order", type: "RangeError" },
    });
  });

  it("mount on a coordinator, once, under the name they give", async () => {
    const coordinator = new MockCoordinator();
    await coordinator.load(mount, { prefix: "> " });
    expect([...coordinator.mounted.keys()]).toEqual(["my-tool"]);
    const tool = coordinator.mounted.get("my-tool") as ModuleTool;
    expect(await tool.execute({ required_param: "a" })).toMatchObject({ output: "> a" });
    expect(await coordinator.collect_contributions("observability.events")).toEqual([
      ["my-tool:started", "my-tool:completed", "my-tool:error"],
    ]);
  });

  it("count the calls of a mock tool", async () => {
    const mockTool = new MockTool({ name: "test_tool", output: "mock result" });
    const coordinator = new MockCoordinator();
    await coordinator.mount("tools", mockTool);
    expect((await mockTool.execute({ a: 1 })).output).toBe("mock result");
    expect(mockTool.call_count).toBe(1);
  });

  it("mount by their own name if they give no other", async () => {
    const coordinator = new MockCoordinator();
    await coordinator.load(() => new MyTool(), {});
    expect([...coordinator.mounted.keys()]).toEqual(["my_tool"]);
  });
});
