import { ToolError } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { applyPatch } from "./apply-patch.ts";

const unended = "\\ No newline at end of file\n";
const begin = (body: string): string =>
  `*** Begin Patch\n*** Update File: a\n${body}*** End Patch\n`;
const unified = (body: string): string => `--- a/a\n+++ b/a\n${body}`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each(computers)("apply_patch %s", (_, make) => {
  const run = async (before: string | Uint8Array, patch: string) => {
    const runtime = openRuntime(make({ a: before }), applyPatch);
    const data = await applyPatch.execute({ patch }, runtime);
    return { bytes: await runtime.fs.read("a"), file: data.files[0] };
  };
  const change = async (before: string, patch: string): Promise<[string, string | undefined]> => {
    const { bytes, file } = await run(before, patch);
    return [new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), file?.strategy];
  };
  const refuse = async (before: string, patch: string): Promise<ToolError> => {
    const runtime = openRuntime(make({ a: before }), applyPatch);
    const error = await applyPatch.execute({ patch }, runtime).catch((thrown: unknown) => thrown);
    expect(await runtime.fs.read("a")).toEqual(encode(before));
    if (!ToolError.isInstance(error)) throw new Error("was not refused", { cause: error });
    return error;
  };

  it.each([
    ["unified", unified("@@ -1,3 +1,4 @@\n 1\n-2\n+two\n+2b\n 3\n")],
    ["begin-patch", begin("@@\n 1\n-2\n+two\n+2b\n 3\n")],
  ])(
    "keeps the endings of replaced lines, and gives new ones their neighbour's: %s",
    async (_form, patch) => {
      expect(await change("1\r\n2\r\n3\r\n", patch)).toEqual([
        "1\r\ntwo\r\n2b\r\n3\r\n",
        "line-endings",
      ]);
      expect(await change("1\n2\r\n3\n", patch)).toEqual(["1\ntwo\r\n2b\r\n3\n", "line-endings"]);
      expect(await change("1\r\n2\n3\r\n", patch)).toEqual(["1\r\ntwo\n2b\n3\r\n", "line-endings"]);
      expect(await change("1\r2\r3\r", patch)).toEqual(["1\rtwo\r2b\r3\r", "line-endings"]);
      const returns = patch.replaceAll("\n", "\r\n");
      expect(await change("1\r\n2\r\n3\r\n", returns)).toEqual([
        "1\r\ntwo\r\n2b\r\n3\r\n",
        "line-endings",
      ]);
      expect(await change("1\n2\n3\n", returns)).toEqual(["1\ntwo\n2b\n3\n", "exact"]);
    },
  );

  it("ignores line endings when locating a hunk, if the patch has none", async () => {
    const patch = unified("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n");
    expect((await change("1\r\n2\r\n1\n2\n", patch))[0]).toBe("1\r\ntwo\r\n1\n2\n");
    const error = await refuse("1\r\n2\r\n1\n2\n", begin("@@\n 1\n-2\n+two\n"));
    expect(error.message).toContain("matches in several places: lines 1, 3.");
  });

  it("gives lines at the beginning the ending of those after them", async () => {
    const patch = unified("@@ -1,1 +1,2 @@\n+0\n 1\n");
    expect((await change("1\r\n2\n", patch))[0]).toBe("0\r\n1\r\n2\n");
  });

  it("takes the endings that the diff of such a file has as they are", async () => {
    const patch = unified("@@ -1,3 +1,3 @@\n 1\r\n-2\r\n+2\n+b\r\n-3\n");
    expect(await change("1\r\n2\r\n3\n", patch)).toEqual(["1\r\n2\nb\r\n", "exact"]);
  });

  it.each<[name: string, texts: readonly [before: string, after: string], hunk: string]>([
    ["keeps", ["1\n2", "1\n3"], `@@ -1,2 +1,2 @@\n 1\n-2\n${unended}+3\n${unended}`],
    ["adds", ["1\n2", "1\n3\n"], `@@ -1,2 +1,2 @@\n 1\n-2\n${unended}+3\n`],
    ["takes away", ["1\n2\n", "1\n3"], `@@ -1,2 +1,2 @@\n 1\n-2\n+3\n${unended}`],
    ["moves", ["1\n2", "1\n2\n3"], `@@ -1,2 +1,3 @@\n 1\n-2\n${unended}+2\n+3\n${unended}`],
    ["only adds", ["1", "1\n"], `@@ -1 +1 @@\n-1\n${unended}+1\n`],
  ])("%s the break at the end as the patch says", async (_case, [before, after], hunk) => {
    expect(await change(before, unified(hunk))).toEqual([after, "exact"]);
  });

  it("keeps a missing break at the end where the patch forgets it", async () => {
    const patch = unified("@@ -1,2 +1,3 @@\n 1\n-2\n+3\n+4\n");
    expect(await change("1\n2", patch)).toEqual(["1\n3\n4", "line-endings"]);
    expect((await change("1\r\n2", patch))[0]).toBe("1\r\n3\r\n4");
    expect((await change("1\n2", begin("@@\n-2\n+3\n")))[0]).toBe("1\n3");
    expect((await change("1\n2", begin("@@\n 2\n+3\n")))[0]).toBe("1\n2\n3");
    expect((await change("1\n2", begin("@@\n-2\n")))[0]).toBe("1\n");
    expect((await change("1\n2", begin("@@\n-1\n")))[0]).toBe("2");
  });

  it("takes a note of a missing break that no longer holds for what it changes", async () => {
    const patch = unified(`@@ -1,2 +1,2 @@\n 1\n-2\n${unended}+3\n${unended}`);
    expect(await change("1\n2\n", patch)).toEqual(["1\n3\n", "line-endings"]);
    expect(await change("1\n2\nmore\n", patch)).toEqual(["1\n3\nmore\n", "line-endings"]);
  });

  it("finds lines that differ in space at their end, in one place only", async () => {
    const patch = unified("@@ -1,2 +1,2 @@\n 1\n-2\n+two\n");
    expect(await change("1  \n2\t\n3 \n", patch)).toEqual(["1  \ntwo\n3 \n", "trailing-space"]);
    const error = await refuse("1 \n2 \n1 \n2 \n", patch);
    expect(error.message).toContain("matches in several places: lines 1, 3.");
  });

  it("finds lines that look alike, in one place only", async () => {
    const patch = begin('@@\n say("it\'s - ok")\n-x\n+y\n');
    const line = "say(\u201cit\u2019s\u00a0\u2013\u00a0ok\u201d)\n";
    expect(await change(`${line}x\n`, patch)).toEqual([`${line}y\n`, "unicode"]);
    expect((await refuse(`${line}x\n${line}x\n`, patch)).code).toBe("conflict");
  });

  it("never drops context to make a hunk fit", async () => {
    const patch = unified("@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n");
    for (const near of ["0\n2\n3\n", "1\n2\n4\n", "1\n\n2\n3\n", "1\n 2\n3\n"]) {
      expect((await refuse(near, patch)).message).toContain("does not match");
    }
  });

  it("takes new text literally", async () => {
    const text = "$& $1 $$ \\1 \\n %s `x` \\u0041";
    expect((await change("x\n", begin(`@@\n-x\n+${text}\n`)))[0]).toBe(`${text}\n`);
  });

  it("keeps a byte order mark", async () => {
    const patch = unified("@@ -1,2 +1,2 @@\n-one\n+1\n two\n");
    expect(await change("\ufeffone\ntwo\n", patch)).toEqual(["\ufeff1\ntwo\n", "exact"]);
  });

  it("keeps UTF-16", async () => {
    const wide = (text: string): Uint8Array =>
      new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer);
    const patch = begin("@@\n one\n-two\n+zwölf\n");
    const { bytes } = await run(wide("\ufeffone\r\ntwo\r\n"), patch);
    expect(bytes).toEqual(wide("\ufeffone\r\nzwölf\r\n"));
  });

  it("keeps older encodings, also through several sections, or refuses", async () => {
    const latin = (text: string): Uint8Array =>
      Uint8Array.from(text, (character) => character.charCodeAt(0));
    const before = latin("caf\u00e9 au lait\nth\u00e9\n");
    const patch = begin("@@\n-thé\n+pâté\n*** Update File: a\n@@\n-pâté\n+crème brûlée\n");
    expect((await run(before, patch)).bytes).toEqual(
      latin("caf\u00e9 au lait\ncr\u00e8me br\u00fbl\u00e9e\n"),
    );
    const runtime = openRuntime(make({ a: before }), applyPatch);
    const call = applyPatch.execute({ patch: begin("@@\n-thé\n+茶\n") }, runtime);
    await expect(call).rejects.toMatchObject({ code: "failed" });
    expect(await runtime.fs.read("a")).toEqual(before);
  });

  it("deletes what is not text, and changes nothing of it", async () => {
    const runtime = openRuntime(make({ a: Uint8Array.of(1, 0, 2), b: "b\n" }), applyPatch);
    const call = applyPatch.execute({ patch: begin("@@\n-x\n+y\n") }, runtime);
    await expect(call).rejects.toMatchObject({ code: "binary" });
    const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";
    expect((await applyPatch.execute({ patch }, runtime)).files[0]?.diff).toBe("");
    await expect(runtime.fs.read("a")).rejects.toMatchObject({ code: "not-found" });
  });
});
