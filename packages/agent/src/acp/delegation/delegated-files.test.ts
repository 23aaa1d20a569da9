import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseRule, type Rule } from "@haft/core";
import { describe, expect, it } from "vitest";
import { call, type ModelAnswer, say } from "../../test-support/model-server/index.ts";
import { type Driven, drive, makeDirectory, updatesOf } from "../test-support/drive.ts";
import { type Editor, openEditor } from "../test-support/editor.ts";

const rules: readonly Rule[] = [parseRule("* * allow")];

interface Edited extends Driven {
  readonly editor: Editor;
  readonly sessionId: string;
  path(name: string): string;
  disk(name: string): string;
  /** What the last call came to. */
  last(): { status: unknown; output: string };
}

async function edit(
  files: Readonly<Record<string, string | Uint8Array>>,
  script: readonly ModelAnswer[] | (() => ModelAnswer),
): Promise<Edited> {
  const editor = openEditor();
  const { capabilities, equip } = editor;
  const answers = typeof script === "function" ? script : [...script, say("Done.")];
  const driven = await drive({ script: answers, rules, capabilities, equip });
  const path = (name: string): string => join(driven.workspace, name);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), content);
  }
  return {
    ...driven,
    editor,
    sessionId: await driven.newSession(),
    path,
    disk: (name) => readFileSync(path(name), "utf8"),
    last: () => {
      const update = updatesOf(driven.updates, "tool_call_update").at(-1);
      return { status: update?.status, output: JSON.stringify(update?.rawOutput) };
    },
  };
}

describe("files that go through the client", () => {
  it("are read as the editor holds them, window by window", async () => {
    const { editor, path, prompt, sessionId, last } = await edit({ "a.txt": "saved\n" }, [
      call("read", { path: "a.txt", byte_offset: 2, byte_limit: 4 }),
    ]);
    editor.unsaved.set(path("a.txt"), "unsaved\n");
    await prompt(sessionId, "Go.");
    expect(last().output).toContain('"content":"save"');
  });

  it("are changed as the editor holds them, and undone to what it held", async () => {
    const script = [
      call("edit", { path: "a.txt", old_string: "typed", new_string: "made" }),
      call("undo_edit", {}),
    ];
    const { editor, path, prompt, sessionId, updates, disk } = await edit(
      { "a.txt": "one\n" },
      script,
    );
    editor.unsaved.set(path("a.txt"), "one\ntyped\n");
    await prompt(sessionId, "Go.");
    const diffs = updatesOf(updates, "tool_call_update")
      .filter(({ status }) => status === "completed")
      .map(({ content }) => content);
    expect(diffs).toEqual([
      [{ type: "diff", path: path("a.txt"), oldText: "one\ntyped\n", newText: "one\nmade\n" }],
      [{ type: "diff", path: path("a.txt"), oldText: "one\nmade\n", newText: "one\ntyped\n" }],
    ]);
    expect(disk("a.txt")).toBe("one\ntyped\n");
    expect(editor.log.filter((line) => line.startsWith("write"))).toHaveLength(2);
  });

  it("keep their line ends and byte order mark where the editor hides them", async () => {
    const script = [call("edit", { path: "a.txt", old_string: "two", new_string: "2" })];
    const given = { "a.txt": "\ufeffone\r\ntwo\r\n" };
    const same = await edit(given, script);
    same.editor.unsaved.set(same.path("a.txt"), "one\ntwo\n");
    await same.prompt(same.sessionId, "Go.");
    expect(same.disk("a.txt")).toBe("\ufeffone\r\n2\r\n");
    const typed = await edit(given, script);
    typed.editor.unsaved.set(typed.path("a.txt"), "one\ntwo\nthree\n");
    await typed.prompt(typed.sessionId, "Go.");
    expect(typed.disk("a.txt")).toBe("\ufeffone\r\n2\r\nthree\r\n");
  });

  it("can be changed again after the editor formatted them", async () => {
    const { editor, prompt, sessionId, disk, last } = await edit({}, [
      call("write", { path: "a.txt", content: "a\n" }),
      call("edit", { path: "a.txt", old_string: "a;", new_string: "b" }),
    ]);
    editor.format = (text) => text.replace("\n", ";\n");
    await prompt(sessionId, "Go.");
    expect(last().output).toContain("+b");
    expect(disk("a.txt")).toBe("b;\n");
  });

  it("are changed together, and none of them if the editor refuses one", async () => {
    const patch = `*** Begin Patch
*** Update File: a.txt
@@
-one
+1
*** Add File: new.txt
+new
*** Delete File: b.txt
*** End Patch
`;
    const files = { "a.txt": "one\n", "b.txt": "two\n" };
    const taken = await edit(files, [call("apply_patch", { patch })]);
    await taken.prompt(taken.sessionId, "Go.");
    expect(taken.disk("a.txt")).toBe("1\n");
    expect(taken.disk("new.txt")).toBe("new\n");
    expect(existsSync(taken.path("b.txt"))).toBe(false);
    expect(taken.editor.log.filter((line) => line.startsWith("write")).sort()).toEqual([
      `write ${taken.path("a.txt")}`,
      `write ${taken.path("new.txt")}`,
    ]);

    const refused = await edit(files, [call("apply_patch", { patch })]);
    refused.editor.refusal = "Not now.";
    await refused.prompt(refused.sessionId, "Go.");
    expect(refused.last().status).toBe("failed");
    expect(refused.disk("a.txt")).toBe("one\n");
    expect(refused.disk("b.txt")).toBe("two\n");
    expect(existsSync(refused.path("new.txt"))).toBe(false);
  });

  it.each([
    ["edit", { path: "a.txt", old_string: "one", new_string: "1" }],
    ["write", { path: "a.txt", content: "1\n" }],
    ["write", { path: "new.txt", content: "1\n" }],
  ])("stay unchanged if the editor refuses: %s %j", async (name, args) => {
    const { editor, prompt, sessionId, last, disk, path } = await edit({ "a.txt": "one\n" }, [
      call(name, args),
    ]);
    editor.refusal = "Not now.";
    await prompt(sessionId, "Go.");
    expect(last().status).toBe("failed");
    expect(last().output).toMatch(/The editor refused to write .*The file is unchanged\./u);
    expect(disk("a.txt")).toBe("one\n");
    expect(existsSync(path("new.txt"))).toBe(false);
  });

  it("never reach the editor where our own rules refuse them", async () => {
    const outside = makeDirectory();
    writeFileSync(join(outside, "b.txt"), "outside\n");
    const script = [
      call("read", { path: ".env" }),
      call("read", { path: join(outside, "b.txt") }),
      call("read", { path: "link.txt" }),
      call("write", { path: "link.txt", content: "x" }),
      call("write", { path: ".git/hooks/pre-commit", content: "x" }),
      call("write", { path: join(outside, "c.txt"), content: "x" }),
    ];
    const { editor, prompt, sessionId, updates, path } = await edit(
      { ".env": "KEY=1\n", ".git/hooks/sample": "" },
      script,
    );
    symlinkSync(join(outside, "b.txt"), path("link.txt"));
    await prompt(sessionId, "Go.");
    const ends = updatesOf(updates, "tool_call_update")
      .map(({ status }) => status)
      .filter((status) => status !== "in_progress" && status !== "pending");
    expect(ends).toEqual(script.map(() => "failed"));
    expect(editor.log).toEqual([]);
    expect(readFileSync(join(outside, "b.txt"), "utf8")).toBe("outside\n");
  });

  it("are read from the disk if they are binary or large", async () => {
    const large = "line\n".repeat(1_100_000);
    const { editor, prompt, sessionId, updates } = await edit(
      { "a.bin": Uint8Array.of(0xff, 0xfe, 0, 1), "large.txt": large },
      [
        call("read", { path: "a.bin", byte_offset: 0 }),
        call("read", { path: "large.txt", limit: 1 }),
        call("edit", { path: "large.txt", old_string: "line\nline\n", new_string: "x" }),
        call("read", { path: "." }),
        call("delete_file", { path: "a.bin" }),
      ],
    );
    await prompt(sessionId, "Go.");
    expect(editor.log).toEqual([]);
    expect(updatesOf(updates, "tool_call_update").at(-1)).toMatchObject({ status: "completed" });
  });

  it("are not written over what was typed since they were read", async () => {
    const { prompt, sessionId, last, editor, disk, path } = await edit({ "a.txt": "one\n" }, [
      call("edit", { path: "a.txt", old_string: "one", new_string: "1" }),
    ]);
    let typed = "one\n";
    editor.unsaved.get = () => {
      const held = typed;
      typed += "typed\n";
      return held;
    };
    await prompt(sessionId, "Go.");
    expect(last().status).toBe("failed");
    expect(last().output).toContain("changed");
    expect(disk("a.txt")).toBe("one\n");
    expect(editor.log).not.toContain(`write ${path("a.txt")}`);
  });

  it("come from the disk if the editor does not have them", async () => {
    const { prompt, sessionId, last, editor } = await edit({ "a.txt": "one\n" }, [
      call("read", { path: "a.txt" }),
    ]);
    editor.unsaved.get = () => {
      throw new Error("Unknown file.");
    };
    await prompt(sessionId, "Go.");
    expect(last()).toMatchObject({ status: "completed", output: expect.stringContaining("one") });
    expect(editor.log).toHaveLength(1);
  });
});
