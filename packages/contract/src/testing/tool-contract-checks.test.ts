import { describe, expect, it } from "vitest";
import type { Tool } from "../tool.ts";
import { ToolError } from "../tool-error.ts";
import { toolContractChecks } from "./tool-contract-checks.ts";
import type { ToolExample } from "./tool-example.ts";

const sound: Tool<{ name: string }, unknown> = {
  id: "greet",
  description: "Greets somebody by name. Does not send anything.",
  parameters: {
    type: "object",
    properties: { name: { type: "string", description: "Whom to greet." } },
    required: ["name"],
  },
  output: { type: "object", properties: { greeting: { type: "string" } }, required: ["greeting"] },
  requires: { fs: { read: ["{workspace}/**", "{ad-hoc}/**", "{user-data}/**"] } },
  kind: "other",
  source: "module",
  timeoutMs: 1_000,
  execution: { resourceKeys: ({ name }) => [{ key: name, mode: "read", type: "name" }] },
  aliases: [
    {
      name: "Greet",
      parameters: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
      toArguments: (args) => ({ name: String(args.who) }),
    },
    { name: "hello" },
  ],
  prepare: (args) => ({ ...args }),
  execute: async ({ name }, { signal }) => {
    if (signal.aborted) throw new ToolError("cancelled", "Stopped before it began.");
    if (name === "nobody") throw new ToolError("not-found", "There is no such person.");
    return { greeting: `Hello ${name}` };
  },
};

const examples: readonly ToolExample[] = [
  { name: "a name", arguments: { name: "Ada" }, expect: { data: { greeting: "Hello Ada" } } },
  { name: "nobody", arguments: { name: "nobody" }, expect: { error: "not-found" } },
  { name: "a number", arguments: { name: 5 }, expect: { error: "invalid-arguments" } },
];

async function failing(tool: object, given = examples): Promise<string[]> {
  const failed: string[] = [];
  for (const check of toolContractChecks(tool as Tool, given)) {
    await check.run().catch(() => failed.push(check.name));
  }
  return failed;
}

/** Fails nothing when aborted, so that only the check under test sees the fault. */
function executing(execute: (args: { name: string }) => unknown): Partial<typeof sound> {
  return {
    execute: async (args, runtime) => {
      const data = await sound.execute(args, runtime);
      return args.name === "Ada" ? execute(args) : data;
    },
  };
}

let counter = 0;

describe("toolContractChecks", () => {
  it("passes a sound tool", async () => {
    expect(await failing(sound)).toEqual([]);
  });

  it("has a name of its own for each check", () => {
    const names = toolContractChecks(sound, examples).map((check) => check.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("numbers examples without a name", () => {
    const names = toolContractChecks(sound, [{ arguments: {} }]).map((check) => check.name);
    expect(names).toContain("example 1: ends as expected");
  });

  it.each<[string, string, object]>([
    ["an illegal id", "has a valid id", { id: "greet me" }],
    ["no id", "has a valid id", { id: undefined }],
    ["a short description", "has a description that a model can use", { description: "Greets." }],
    [
      "a description that breaks off",
      "has a description that a model can use",
      { description: "Greets somebody by name and then" },
    ],
    [
      "a description with an escape sequence",
      "has a description that a model can use",
      { description: "Greets somebody \u001b[31mby name." },
    ],
    ["no description", "has a description that a model can use", { description: undefined }],
    ["an unknown kind", "has a valid kind", { kind: "juggle" }],
    ["an unknown source", "has a valid source", { source: "thin air" }],
    ["a timeout of zero", "has a positive timeout or none", { timeoutMs: 0 }],
    [
      "an endless timeout",
      "has a positive timeout or none",
      { timeoutMs: Number.POSITIVE_INFINITY },
    ],
    ["a timeout in words", "has a positive timeout or none", { timeoutMs: "1s" }],
    [
      "an undefined variable",
      "has requirements that compile",
      { requires: { fs: { read: ["{workspce}/**"] } } },
    ],
    ["no requirements", "has requirements that compile", { requires: undefined }],
    [
      "parameters without a type",
      "has parameters with an object at the root",
      { parameters: { properties: sound.parameters.properties, required: ["name"] } },
    ],
    [
      "a silent parameter",
      "describes every parameter",
      { parameters: { ...sound.parameters, properties: { name: { type: "string" } } } },
    ],
    [
      "a schema of an older draft",
      "has parameters that compile under draft 2020-12",
      { parameters: { ...sound.parameters, $schema: "http://json-schema.org/draft-07/schema#" } },
    ],
    [
      "output that is no object",
      "has an output schema with an object at the root",
      { output: { anyOf: [sound.output] } },
    ],
    [
      "an output schema that is none",
      "has an output schema that compiles under draft 2020-12",
      { output: { type: "object", required: "greeting" } },
    ],
    ["an alias with a space", "alias say hi: has a valid name", { aliases: [{ name: "say hi" }] }],
    [
      "an alias whose schema is none",
      "alias Hi: has parameters that compile under draft 2020-12",
      { aliases: [{ name: "Hi", parameters: { type: "objekt" } }] },
    ],
    [
      "an alias that counts",
      "alias Hi: maps its arguments to the tool's, purely",
      { aliases: [{ name: "Hi", toArguments: () => ({ name: `guest ${counter++}` }) }] },
    ],
    [
      "an alias that changes what it is given",
      "alias Hi: maps its arguments to the tool's, purely",
      {
        aliases: [
          {
            name: "Hi",
            toArguments: (args: Record<string, unknown>) => Object.assign(args, { name: "x" }),
          },
        ],
      },
    ],
    [
      "an alias whose arguments don't fit",
      "alias Hi: maps its arguments to the tool's, purely",
      { aliases: [{ name: "Hi", toArguments: () => ({ who: "x" }) }] },
    ],
    [
      "an alias that can't be tried",
      "alias Hi: maps its arguments to the tool's, purely",
      {
        aliases: [
          {
            name: "Hi",
            parameters: {
              type: "object",
              properties: { who: { type: "string", pattern: "^z$" } },
              required: ["who"],
            },
          },
        ],
      },
    ],
    [
      "data where a failure is expected",
      "nobody: ends as expected",
      { execute: async () => ({ greeting: "Hello Ada" }) },
    ],
    [
      "another failure than expected",
      "nobody: ends as expected",
      {
        execute: async (args: { name: string }, runtime: Parameters<typeof sound.execute>[1]) => {
          if (args.name === "nobody" && !runtime.signal.aborted) {
            throw new ToolError("failed", "No.");
          }
          return sound.execute(args, runtime);
        },
      },
    ],
    [
      "an unexpected failure",
      "a name: ends as expected",
      executing(() => {
        throw new ToolError("failed", "No.");
      }),
    ],
    [
      "a throw that is no ToolError",
      "a name: ends as expected",
      executing(() => {
        throw new RangeError("Oops.");
      }),
    ],
    [
      "arguments that are changed",
      "a name: ends as expected",
      executing((args) => {
        args.name = "Bob";
        return { greeting: "Hello Ada" };
      }),
    ],
    [
      "data with a date",
      "a name: returns data that survives JSON unchanged",
      executing(() => ({ greeting: "Hello Ada", at: new Date(0) })),
    ],
    [
      "data with an undefined property",
      "a name: returns data that survives JSON unchanged",
      executing(() => ({ greeting: "Hello Ada", at: undefined })),
    ],
    [
      "data that is not the expected",
      "a name: returns the expected data",
      executing(() => ({ greeting: "Hello Bob" })),
    ],
    [
      "resources that differ from call to call",
      "a name: names its resources purely",
      {
        execution: {
          resourceKeys: ({ name }: { name: string }) =>
            name === "Ada" ? [{ key: `${counter++}`, mode: "read" }] : [],
        },
      },
    ],
    [
      "resources that change the arguments",
      "a name: names its resources purely",
      {
        execution: {
          resourceKeys: (args: { name: string }) => {
            if (args.name === "Ada") args.name = "Bob";
            return [];
          },
        },
      },
    ],
    [
      "a prepare that throws",
      "a number: prepares its arguments without throwing or changing them",
      { prepare: (args: { name: string }) => ({ name: args.name.normalize() }) },
    ],
    [
      "an aborted call that never ends",
      "a name: stops at once if it is already aborted",
      {
        execute: async (args: { name: string }, runtime: Parameters<typeof sound.execute>[1]) =>
          runtime.signal.aborted && args.name === "Ada"
            ? new Promise(() => {})
            : sound.execute(args, runtime),
      },
    ],
    [
      "an aborted call that fails for another reason",
      "a name: stops at once if it is already aborted",
      {
        execute: async (args: { name: string }, runtime: Parameters<typeof sound.execute>[1]) => {
          if (runtime.signal.aborted && args.name === "Ada") throw new ToolError("failed", "No.");
          return sound.execute(args, runtime);
        },
      },
    ],
  ])("finds %s, and only that", async (_, check, fault) => {
    expect(await failing({ ...sound, ...fault })).toEqual([check]);
  });

  it("finds data that doesn't fit its schema, and only that", async () => {
    const tool = { ...sound, ...executing(() => ({ greeting: 5 })) };
    const given: ToolExample[] = [{ name: "a name", arguments: { name: "Ada" } }];
    expect(await failing(tool, given)).toEqual([
      "a name: returns data that fits its output schema",
    ]);
  });

  it("finds a required parameter that does not exist, and only that", async () => {
    const required = ["name", "nickname"];
    const tool = { ...sound, aliases: [], parameters: { ...sound.parameters, required } };
    const given: ToolExample[] = [{ arguments: { name: "Ada", nickname: "A" } }];
    expect(await failing(tool, given)).toEqual(["requires only parameters that it has"]);
  });

  it("finds an example that doesn't fit, and only that", async () => {
    const given: ToolExample[] = [{ name: "a number", arguments: { name: 5 } }];
    expect(await failing(sound, given)).toEqual(["a number: has arguments that fit the schema"]);
  });

  it("finds invalid arguments that the tool accepts, and only that", async () => {
    const given: ToolExample[] = [
      { name: "fine", arguments: { name: "Ada" }, expect: { error: "invalid-arguments" } },
    ];
    expect(await failing(sound, given)).toEqual(["fine: ends as expected"]);
  });

  it("accepts invalid arguments that only the tool itself can refuse", async () => {
    const tool = executing(() => {
      throw new ToolError("invalid-arguments", "Ada is taken.");
    });
    const given: ToolExample[] = [
      { arguments: { name: "Ada" }, expect: { error: "invalid-arguments" } },
    ];
    expect(await failing({ ...sound, ...tool }, given)).toEqual([]);
  });

  it("finds a tool without examples, and only that", async () => {
    expect(await failing(sound, [])).toEqual(["comes with an example"]);
  });

  it("accepts an AbortError from an aborted call", async () => {
    const tool: typeof sound = {
      ...sound,
      execute: async (args, runtime) => {
        runtime.signal.throwIfAborted();
        return sound.execute(args, runtime);
      },
    };
    expect(await failing(tool)).toEqual([]);
  });

  it("calls the tool once for all checks of its data", async () => {
    let calls = 0;
    const tool = { ...sound, ...executing(() => ({ greeting: `Hello ${++calls}` })) };
    const given: ToolExample[] = [
      { arguments: { name: "Ada" }, expect: { data: { greeting: "Hello 1" } } },
    ];
    expect(await failing(tool, given)).toEqual([]);
    expect(calls).toBe(1);
  });

  it("leaves the author's examples as they are", async () => {
    const given: ToolExample[] = [{ arguments: { name: "Ada" } }];
    await failing(sound, given);
    expect(Object.isFrozen(given[0]?.arguments)).toBe(false);
  });
});
