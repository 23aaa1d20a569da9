import { describe, expectTypeOf, it } from "vitest";
import { defineTool } from "./define-tool.ts";
import type { Runtime } from "./runtime.ts";
import type { Tool } from "./tool.ts";

const shared = {
  id: "greet",
  description: "Greets somebody by name.",
  requires: {},
  kind: "other",
} as const;

const parameters = {
  type: "object",
  properties: {
    name: { type: "string", description: "Whom to greet." },
    times: { type: "integer", description: "How often." },
  },
  required: ["name"],
} as const;

describe("defineTool", () => {
  it("types the arguments of execute by the schema", () => {
    defineTool({
      ...shared,
      parameters: {
        type: "object",
        properties: { name: { type: "string" }, mood: { enum: ["kind", "curt"] } },
        required: ["name"],
      },
      execute: async (args, runtime) => {
        expectTypeOf(args).toEqualTypeOf<{ name: string; mood?: "kind" | "curt" }>();
        expectTypeOf(runtime).toEqualTypeOf<Runtime>();
        return {};
      },
    });
  });

  it("takes the type of the data from what execute returns", () => {
    const tool = defineTool({ ...shared, parameters, execute: async () => ({ greeting: "hi" }) });
    expectTypeOf(tool).toEqualTypeOf<
      Tool<{ name: string; times?: number }, { greeting: string }>
    >();
  });

  it("types the arguments of the execution profile and of prepare", () => {
    defineTool({
      ...shared,
      parameters,
      execution: { resourceKeys: (args) => [{ key: args.name, mode: "read" }] },
      prepare: (args) => ({ ...args, name: args.name.trim() }),
      execute: async () => ({}),
    });
  });

  it("gives a tool that fits where any tool does", () => {
    const tools: Tool[] = [defineTool({ ...shared, parameters, execute: async () => ({}) })];
    expectTypeOf(tools).toEqualTypeOf<Tool[]>();
  });

  it("refuses to read a property that the schema doesn't have", () => {
    defineTool({
      ...shared,
      parameters,
      // @ts-expect-error there is no `nickname` in the schema
      execute: async (args) => ({ greeting: args.nickname }),
    });
  });

  it("refuses an execute that returns no promise", () => {
    // @ts-expect-error data comes in a promise
    defineTool({ ...shared, parameters, execute: () => ({ greeting: "hi" }) });
  });

  it("refuses data other than the declared type", () => {
    // @ts-expect-error the greeting is a string
    const tool: Tool<{ name: string; times?: number }, { greeting: number }> = defineTool({
      ...shared,
      parameters,
      execute: async () => ({ greeting: "hi" }),
    });
    expectTypeOf(tool.id).toEqualTypeOf<string>();
  });

  it("refuses parameters whose root is no object", () => {
    // @ts-expect-error the root of parameters has type "object"
    defineTool({ ...shared, parameters: { type: "string" }, execute: async () => ({}) });
  });

  it("refuses a kind that clients don't know", () => {
    // @ts-expect-error "juggle" is no kind
    defineTool({ ...shared, kind: "juggle", parameters, execute: async () => ({}) });
  });

  it("refuses a tool that doesn't say what it requires", () => {
    const { requires: _, ...rest } = shared;
    // @ts-expect-error requires is missing
    defineTool({ ...rest, parameters, execute: async () => ({}) });
  });
});
