import { ToolError } from "@haft/contract";
import { describeToolContract } from "@haft/contract/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edit } from "../edit/edit.ts";
import { applyDiff } from "../test-support/apply-diff.ts";
import { computers, openRuntime } from "../test-support/computers.ts";
import { multiEdit } from "./multi-edit.ts";

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe.each(computers)("multi_edit %s", (_, make) => {
  it("makes each edit on the result of the one before, and shows one diff", async () => {
    const computer = make({ a: "one\ntwo\nthree\nfour\n" });
    const runtime = openRuntime(computer, multiEdit);
    const edits = [
      { old_string: "two", new_string: "2\n2" },
      { old_string: "2\nthree", new_string: "3" },
      { old_string: "o", new_string: "O", replace_all: true },
    ];
    expect(await multiEdit.execute({ path: "a", edits }, runtime)).toEqual({
      path: `${computer.roots[0]}/a`,
      diff: "--- a/a\n+++ b/a\n@@ -1,4 +1,4 @@\n-one\n-two\n-three\n-four\n+One\n+2\n+3\n+fOur\n",
      line_range: [1, 4],
      edits: [
        { strategy: "exact", replacements: 1, line_range: [2, 3] },
        { strategy: "exact", replacements: 1, line_range: [3, 3] },
        { strategy: "exact", replacements: 2, line_range: [1, 4] },
      ],
    });
    expect(decode(await runtime.fs.read("a"))).toBe("One\n2\n3\nfOur\n");
  });

  it("says which edits matched on a looser rung", async () => {
    const edits = [
      { old_string: "b", new_string: "c" },
      { old_string: "a  ", new_string: "x" },
    ];
    const data = await multiEdit.execute(
      { path: "a", edits },
      openRuntime(make({ a: "a\nb\n" }), multiEdit),
    );
    expect(data.edits.map(({ strategy }) => strategy)).toEqual(["exact", "trailing-space"]);
    expect(data.message).toContain("edit 2 ignoring trailing space");
  });

  it.each([
    [
      "is not there",
      [{ old_string: "zzz", new_string: "y" }],
      "conflict",
      "Edit 2 of 2 failed, so none was made: old_string was not found",
    ],
    [
      "is ambiguous by now",
      [{ old_string: "b", new_string: "y" }],
      "conflict",
      "Edit 2 of 2 failed, so none was made: old_string occurs 2 times",
    ],
    ["is empty", [{ old_string: "", new_string: "y" }], "invalid-arguments", "Edit 2 of 2 failed"],
    [
      "undoes the first",
      [{ old_string: "b\n", new_string: "a\n", replace_all: false }],
      "conflict",
      "Edit 2 of 2",
    ],
  ])("makes none if one %s", async (...[, more, code, message]) => {
    const runtime = openRuntime(make({ a: "a\nb\n" }), multiEdit);
    const edits = [{ old_string: "a", new_string: "b" }, ...more];
    await expect(multiEdit.execute({ path: "a", edits }, runtime)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    expect(decode(await runtime.fs.read("a"))).toBe("a\nb\n");
  });

  it("refuses edits that undo each other", async () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "a" },
    ];
    const request = multiEdit.execute(
      { path: "a", edits },
      openRuntime(make({ a: "a\n" }), multiEdit),
    );
    await expect(request).rejects.toMatchObject({ code: "conflict" });
  });

  it("names the guidance that holds for the place, once a session with edit", async () => {
    const computer = make({ "AGENTS.md": "", "d/a": "one", "d/b": "one" });
    const runtime = openRuntime(computer, multiEdit);
    const request = { old_string: "one", new_string: "two" };
    const data = await multiEdit.execute({ path: "d/a", edits: [request] }, runtime);
    expect(data.guidance).toEqual([`${computer.roots[0]}/AGENTS.md`]);
    const next = await edit.execute({ path: "d/b", ...request }, runtime);
    expect(next).not.toHaveProperty("guidance");
  });

  const runtime = () => openRuntime(make({ "AGENTS.md": "", a: "one\ntwo\n" }), multiEdit);
  describeToolContract(multiEdit, [
    {
      name: "two edits",
      arguments: {
        path: "a",
        edits: [
          { old_string: "one", new_string: "1" },
          { old_string: "two", new_string: "2" },
        ],
      },
      runtime,
      expect: { data: { line_range: [1, 2] } },
    },
    {
      name: "an edit that fails",
      arguments: { path: "a", edits: [{ old_string: "three", new_string: "3" }] },
      runtime,
      expect: { error: "conflict" },
    },
    {
      name: "no edits",
      arguments: { path: "a", edits: [] },
      expect: { error: "invalid-arguments" },
    },
  ]);
});

describe("multi_edit, whatever it gets", () => {
  const [, make] = computers[0] as (typeof computers)[0];

  it("does what the same edits do one by one, or nothing", async () => {
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "é"), maxLength: 8 });
    const request = fc.record({ old_string: texts, new_string: texts, replace_all: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.array(request, { minLength: 1, maxLength: 4 }),
        async (text, edits) => {
          const runtime = openRuntime(make({ a: text, b: text }), multiEdit);
          const outcome = await settle(multiEdit.execute({ path: "a", edits }, runtime));
          const after = decode(await runtime.fs.read("a"));
          if (outcome === undefined) {
            expect(after).toBe(text);
            return;
          }
          for (const each of edits) await edit.execute({ path: "b", ...each }, runtime);
          expect(after).toBe(decode(await runtime.fs.read("b")));
          expect(applyDiff(text, outcome.diff)).toBe(after);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

async function settle<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (ToolError.isInstance(error)) return undefined;
    throw error;
  }
}
