import { createMemoryComputer } from "@haft/computer/memory";
import { describe, expect, it } from "vitest";
import { createRegistry } from "../../registry/registry.ts";
import { createSession, type Session } from "../../session/session.ts";
import { amp } from "./amp.ts";
import type { AmpResult } from "./amp-result.ts";
import { type AmpTool, fromAmpTool } from "./from-amp-tool.ts";

// 000:449-470, in TypeScript.
const fileWriter = {
  spec: {
    name: "write_note",
    description: "Write content to a file",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
    source: "builtin",
    meta: { disableTimeout: true },
    executionProfile: {
      serial: false,
      resourceKeys: (args) => [{ key: String(args.path), mode: "write" }],
    },
    aliases: [{ name: "WriteNote" }],
  },
  preprocessArgs: (args, env) => ({ ...args, path: `${env.roots[0]}/${args.path}` }),
  fn: async (args, env) => {
    const path = String(args.path);
    await env.fs.write(path, new TextEncoder().encode(String(args.content)));
    return { status: "done", result: { bytes: 2 }, trackFiles: ["/workspace/also.txt"] };
  },
} satisfies AmpTool;

function open(tool: AmpTool): Session {
  return createSession({
    registry: createRegistry([fromAmpTool(tool)]),
    computer: createMemoryComputer(),
    dialect: amp,
    rules: [{ permission: "*", pattern: "**", action: "allow" }],
  });
}

const answering = (answer: unknown): AmpTool => ({
  spec: { name: "say", description: "Says it.", inputSchema: { type: "object" } },
  fn: async () => answer as AmpResult,
});

describe("a tool in the form of the document (000:44-66)", () => {
  it("is registered unchanged, shown, and called", async () => {
    const session = open(fileWriter);
    expect(session.tools()).toMatchObject([
      { name: "write_note", description: "Write content to a file", source: "module" },
    ]);
    const args = { path: "a.txt", content: "hi" };
    for (const name of ["write_note", "WriteNote"]) {
      expect(await session.call({ name, arguments: args })).toMatchObject({
        data: { bytes: 2 },
        metadata: { track_files: expect.arrayContaining(["/workspace/also.txt"]) },
      });
    }
  });

  it("is checked by its resource keys and its schema", async () => {
    const session = open({ ...fileWriter, preprocessArgs: (args) => args });
    const call = (args: object) => session.call({ name: "write_note", arguments: args as never });
    expect(await call({ path: "/etc/x", content: "" })).toMatchObject({
      metadata: { error_code: "out-of-scope" },
    });
    expect(await call({ path: "a" })).toMatchObject({
      metadata: { error_code: "invalid-arguments" },
    });
  });

  it.each([
    [{ status: "error", error: { message: "No.", errorCode: "not-found" } }, "No.", "not-found"],
    [{ status: "error", error: { message: "No." } }, "No.", "failed"],
    [{ status: "rejected-by-user", error: { message: "No." } }, "No.", "rejected-by-user"],
    [{ status: "in-progress" }, "say did not return a result.", "internal"],
    ["text", "say did not return a result.", "internal"],
    [{ status: "done", result: 1, trackFiles: [3] }, "say did not return a result.", "internal"],
  ])("that returns %j ends with %j", async (answer, text, code) => {
    const result = await open(answering(answer)).call({ name: "say", arguments: {} });
    expect(result).toMatchObject({
      error_text: expect.stringContaining(text),
      metadata: { error_code: code },
    });
  });

  it("is refused without a function or a valid name", () => {
    const tool = answering(undefined);
    expect(() => fromAmpTool({ ...tool, fn: undefined as never })).toThrow("Tool say has no fn.");
    const spec = { ...tool.spec, name: "say it" };
    expect(() => fromAmpTool({ ...tool, spec })).toThrow('"say it" is not valid');
  });
});
