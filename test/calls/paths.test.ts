import { createMemoryComputer, type MemoryComputer } from "@haft/computer/memory";
import { createRegistry, createSession, type Session, type SessionOptions } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";

const files = { "src/app.ts": "one\ntwo\n", "src/Data.json": "{}\n", "@types/a.d.ts": "x\n" };

function open(options: Partial<SessionOptions> = {}): {
  session: Session;
  computer: MemoryComputer;
} {
  const computer = createMemoryComputer({ files });
  const session = createSession({
    registry: createRegistry(builtinTools),
    computer,
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
    ...options,
  });
  return { session, computer };
}

const edit = { old_string: "two", new_string: "2" };

describe("a path as it is written elsewhere", () => {
  it.each([
    "@src/app.ts",
    "`src/app.ts`",
    '"src/app.ts"',
    "'src/app.ts'",
    "src/app.ts\n",
    " src/app.ts",
    "src\\app.ts",
    "src\\\\app.ts",
    "src/app.ts:2",
    "src/app.ts:2:5",
    "src/app.ts:2-3",
    "src/app.ts#L2",
    "a/src/app.ts",
    "b/src/app.ts",
    "`@src/app.ts:2`",
    "file:///workspace/src/app.ts",
  ])("is understood: %j", async (path) => {
    const { session } = open();
    const note = `path ${JSON.stringify(path)} was read as `;
    for (const [name, args] of [
      ["read", { path }],
      ["edit", { path, ...edit }],
      ["write", { path, content: "new" }],
    ] as const) {
      expect(await session.call({ name, arguments: args })).toMatchObject({
        type: "output",
        data: { path: "/workspace/src/app.ts" },
        metadata: { notes: [expect.stringContaining(note)] },
      });
    }
  });

  it("is taken as it stands if something has it", async () => {
    const { session } = open();
    const read = await session.call({ name: "read", arguments: { path: "@types/a.d.ts" } });
    expect(read).toMatchObject({ data: { path: "/workspace/@types/a.d.ts" } });
    const args = { path: "@types/b.d.ts", content: "b" };
    const written = await session.call({ name: "write", arguments: args });
    expect(written).toMatchObject({ data: { path: "/workspace/@types/b.d.ts" } });
    expect(written.metadata.notes).toBeUndefined();
  });

  it.each([
    ['"src/new.ts"', "src/new.ts"],
    ["src/new.ts\n", "src/new.ts"],
    ["@src/new.ts", "src/new.ts"],
    ["src\\new.ts", "src/new.ts"],
    ["new.ts:12", "new.ts:12"],
    ["a/new.ts", "a/new.ts"],
  ])("names a new file: %j is %s", async (path, meant) => {
    const args = { path, content: "new" };
    expect(await open().session.call({ name: "write", arguments: args })).toMatchObject({
      data: { path: `/workspace/${meant}` },
    });
  });

  it("is understood in a patch", async () => {
    const { session } = open();
    const patch = "*** Begin Patch\n*** Update File: a/src/app.ts\n@@\n-two\n+2\n*** End Patch\n";
    expect(await session.call({ name: "apply_patch", arguments: { patch } })).toMatchObject({
      data: { files: [{ path: "/workspace/src/app.ts", action: "updated" }] },
    });
  });

  it("is judged by rules and grants as the file that it means", async () => {
    const rules = [
      { permission: "*", pattern: "*", action: "allow" },
      { permission: "write", pattern: "src/**", action: "deny" },
    ] as const;
    const { session } = open({ rules });
    expect(
      await session.call({ name: "write", arguments: { path: "`src/app.ts`", content: "x" } }),
    ).toMatchObject({ metadata: { error_code: "denied" } });
    expect(await open().session.call({ name: "read", arguments: { path: "@../x" } })).toMatchObject(
      {
        metadata: { error_code: "not-found" },
      },
    );
  });

  it("does not tell whether a file is there that a rule closes", async () => {
    const rules = [
      { permission: "*", pattern: "*", action: "allow" },
      { permission: "read", pattern: "src/**", action: "deny" },
    ] as const;
    const { session } = open({ rules });
    const [there, absent] = await Promise.all(
      ["@src/app.ts", "@src/no.ts"].map((path) =>
        session.call({ name: "read", arguments: { path } }),
      ),
    );
    expect(there).toMatchObject({ metadata: { error_code: "denied" } });
    expect(absent).toMatchObject({ metadata: { error_code: "denied" } });
  });
});

describe("a path that nothing has", () => {
  it.each([
    ["read", { path: "src/APP.ts" }, "src/app.ts"],
    ["edit", { path: "lib/app.ts", ...edit }, "src/app.ts"],
    ["edit", { path: "src/data.json", ...edit }, "src/Data.json"],
    ["delete_file", { path: "app.ts" }, "src/app.ts"],
    ["move_file", { from: "app.ts", to: "b.ts" }, "src/app.ts"],
    ["apply_patch", { patch: "--- a/app.ts\n+++ b/app.ts\n@@ -1 +1 @@\n-one\n+1\n" }, "src/app.ts"],
  ])("of %s %j is answered with the path that was meant", async (name, args, meant) => {
    expect(await open().session.call({ name, arguments: args })).toMatchObject({
      error_text: expect.stringMatching(new RegExp(`Did you mean ${meant}\\?$`, "u")),
      metadata: { error_code: "not-found" },
    });
  });

  it("of edit is answered with write if nothing has the name", async () => {
    const args = { path: "src/other.ts", ...edit };
    expect(await open().session.call({ name: "edit", arguments: args })).toMatchObject({
      error_text: "/workspace/src/other.ts does not exist. Use `write` to create it.",
    });
  });
});
