import { ToolError } from "@haft/contract";
import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { type ApplyPatchData, applyPatch } from "./apply-patch.ts";

const decoder = new TextDecoder();
const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe.each(computers)("apply_patch %s", (_, make) => {
  const start = (files: Files) => {
    const computer = make(files);
    const runtime = openRuntime(computer, applyPatch);
    const read = async (path: string): Promise<string | undefined> => {
      try {
        return decoder.decode(await runtime.fs.read(path));
      } catch (error) {
        if (ToolError.isInstance(error) && error.code === "not-found") return undefined;
        throw error;
      }
    };
    const apply = (patch: string): Promise<ApplyPatchData> =>
      applyPatch.execute({ patch }, runtime);
    return { read, apply, runtime, root: computer.roots[0] as string };
  };

  const applied = async (before: string, patch: string): Promise<string | undefined> => {
    const { apply, read } = start({ a: before });
    await apply(patch);
    return read("a");
  };

  const refused = async (before: string, patch: string): Promise<ToolError> => {
    const { apply, read } = start({ a: before });
    const error = await apply(patch).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(await read("a")).toBe(before);
    if (!ToolError.isInstance(error)) throw new Error("was not refused", { cause: error });
    return error;
  };

  describe("with a unified diff", () => {
    it("changes a file and tells what it did", async () => {
      const { apply, read, root } = start({ "src/a.txt": "one\ntwo\nthree\n" });
      const data = await apply(
        "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n",
      );
      expect(await read("src/a.txt")).toBe("one\nzwei\nthree\n");
      expect(data).toEqual({
        files: [
          {
            path: `${root}/src/a.txt`,
            action: "updated",
            diff: "--- a/src/a.txt\n+++ b/src/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+zwei\n three\n",
            line_range: [2, 2],
            strategy: "exact",
          },
        ],
        message: "Applied to 1 file: 1 updated.",
      });
    });

    it("changes, creates, deletes and renames files together", async () => {
      const { apply, read } = start({ keep: "1\n2\n", gone: "x\n", "old name": "n\n", run: "r\n" });
      const data = await apply(
        [
          "diff --git a/keep b/keep",
          "index 1191247..b0e2e8c 100644",
          "--- a/keep",
          "+++ b/keep",
          "@@ -1,2 +1,2 @@",
          " 1",
          "-2",
          "+two",
          "diff --git a/gone b/gone",
          "deleted file mode 100644",
          "index 587be6b..0000000",
          "--- a/gone",
          "+++ /dev/null",
          "@@ -1 +0,0 @@",
          "-x",
          "diff --git a/deep/new b/deep/new",
          "new file mode 100644",
          "--- /dev/null",
          "+++ b/deep/new",
          "@@ -0,0 +1,2 @@",
          "+a",
          "+b",
          "\\ No newline at end of file",
          "diff --git a/old name b/new name",
          "similarity index 50%",
          "rename from old name",
          "rename to new name",
          "--- a/old name\t",
          "+++ b/new name\t",
          "@@ -1 +1 @@",
          "-n",
          "+m",
          "diff --git a/run b/run",
          "old mode 100644",
          "new mode 100755",
          "",
        ].join("\n"),
      );
      expect(await read("keep")).toBe("1\ntwo\n");
      expect(await read("gone")).toBeUndefined();
      expect(await read("deep/new")).toBe("a\nb");
      expect(await read("old name")).toBeUndefined();
      expect(await read("new name")).toBe("m\n");
      expect(data.files.map(({ action }) => action)).toEqual([
        "updated",
        "deleted",
        "created",
        "moved",
        "updated",
      ]);
      expect(data.message).toBe("Applied to 5 files: 1 created, 2 updated, 1 deleted, 1 moved.");
      expect(data.files[1]?.diff).toBe("--- a/gone\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n");
      expect(data.files[2]?.diff).toMatch(
        /^--- \/dev\/null\n\+\+\+ b\/deep\/new\n@@ -0,0 \+1,2 @@/u,
      );
      expect(data.files[3]?.diff).toMatch(/^rename from old name\nrename to new name\n/u);
    });

    it("makes files executable, and leaves the other bits of their mode", async () => {
      const { apply, runtime } = start({ run: "r\n" });
      await apply("diff --git a/run b/run\nold mode 100644\nnew mode 100755\n");
      expect((await runtime.fs.stat("run")).mode & 0o777).toBe(0o755);
      await apply("diff --git a/run b/ran\nrename from run\nrename to ran\n");
      expect((await runtime.fs.stat("ran")).mode & 0o777).toBe(0o755);
      await apply("diff --git a/ran b/ran\nold mode 100755\nnew mode 100644\n");
      expect((await runtime.fs.stat("ran")).mode & 0o777).toBe(0o644);
      await apply(
        "diff --git a/s b/s\nnew file mode 100755\n--- /dev/null\n+++ b/s\n@@ -0,0 +1 @@\n+x\n",
      );
      expect((await runtime.fs.stat("s")).mode & 0o777).toBe(0o755);
    });

    it("copies a file", async () => {
      const { apply, read } = start({ a: "1\n2\n" });
      await apply(
        "diff --git a/a b/c\ncopy from a\ncopy to c\n--- a/a\n+++ b/c\n@@ -1,2 +1,2 @@\n 1\n-2\n+3\n",
      );
      expect(await read("a")).toBe("1\n2\n");
      expect(await read("c")).toBe("1\n3\n");
    });

    it("copies a file with its mode, or with the one that the patch says", async () => {
      const { apply, runtime } = start({ run: "r\n" });
      const modeOf = async (path: string) => (await runtime.fs.stat(path)).mode & 0o777;
      await apply("diff --git a/run b/run\nold mode 100644\nnew mode 100755\n");
      await apply("diff --git a/run b/a\ncopy from run\ncopy to a\n");
      expect(await modeOf("a")).toBe(0o755);
      await apply(
        "diff --git a/run b/b\nold mode 100755\nnew mode 100644\ncopy from run\ncopy to b\n",
      );
      expect(await modeOf("b")).toBe(0o644);
    });

    it("finds hunks by their lines when the numbers are off, and says by how much", async () => {
      const before = `new\n`.repeat(7) + numbered(30);
      const { apply, read } = start({ a: before });
      const data = await apply(
        "--- a\n+++ a\n@@ -4,3 +4,3 @@\n line 4\n-line 5\n+five\n line 6\n@@ -20,3 +20,4 @@\n line 20\n+extra\n line 21\n line 22\n",
      );
      expect(await read("a")).toBe(
        before.replace("line 5\n", "five\n").replace("line 20\n", "line 20\nextra\n"),
      );
      expect(data.files[0]).toMatchObject({ offset: 7, strategy: "exact" });
    });

    it("takes the nearest of several places, but none of two at the same distance", async () => {
      const block = "{\nx\n}\n";
      const before = `${block}1\n2\n${block}3\n4\n${block}`;
      const patch = (line: number): string =>
        `--- a\n+++ a\n@@ -${line},3 +${line},3 @@\n {\n-x\n+y\n }\n`;
      expect(await applied(before, patch(7))).toBe(`${block}1\n2\n{\ny\n}\n3\n4\n${block}`);
      expect(await applied(before, patch(100))).toBe(`${block}1\n2\n${block}3\n4\n{\ny\n}\n`);
      const even = `${block}1\n${block}`;
      const error = await refused(even, patch(3));
      expect(error).toMatchObject({ code: "conflict" });
      expect(error.message).toContain("matches in several places: lines 1, 5.");
    });

    it("refuses to choose between the stated line and the one where its neighbours went", async () => {
      const block = "{\nx\n}\n";
      const before = `n\nn\nn\nfirst\nm\nm\n${block}${block}`;
      const hunk = "@@ -1 +1 @@\n-first\n+FIRST\n@@ -7,3 +7,3 @@\n {\n-x\n+y\n }\n";
      expect((await refused(before, `--- a\n+++ a\n${hunk}`)).message).toContain("lines 7, 10.");
    });

    it("follows its neighbours where only they tell the place", async () => {
      const block = "{\nx\n}\n";
      const before = `n\nn\nn\nfirst\n${block}m\n${block}m\n${block}`;
      const hunk = "@@ -1 +1 @@\n-first\n+FIRST\n@@ -6,3 +6,3 @@\n {\n-x\n+y\n }\n";
      expect(await applied(before, `--- a\n+++ a\n${hunk}`)).toBe(
        `n\nn\nn\nFIRST\n${block}m\n{\ny\n}\nm\n${block}`,
      );
    });

    it("refuses what does not fit and shows the nearest place", async () => {
      const error = await refused(
        numbered(20),
        "--- a\n+++ a\n@@ -5,3 +5,3 @@\n line 5\n-line six\n+6\n line 7\n",
      );
      expect(error).toMatchObject({
        code: "conflict",
        absolutePath: expect.stringContaining("/a"),
      });
      expect(error.message).toMatch(/^Nothing was changed: hunk 1 of .*\/a does not match\./u);
      expect(error.message).toContain(
        "Nearest: lines 5-7; 1 of 3 different:\n  5: line 5\n> 6: line 6\n  the hunk has: line six\n",
      );
    });

    it("says so if the change is already in the file", async () => {
      const patch = "--- a\n+++ a\n@@ -2,2 +2,2 @@\n line 2\n-line 3\n+three\n";
      const error = await refused(numbered(9).replace("line 3", "three"), patch);
      expect(error.message).toContain("is already in the file, at line 2.");
    });

    it("puts lines without context at their line", async () => {
      expect(await applied("1\n2\n3\n", "--- a\n+++ a\n@@ -2,0 +3,1 @@\n+new\n")).toBe(
        "1\n2\nnew\n3\n",
      );
      expect(await applied("1\n2\n3\n", "--- a\n+++ a\n@@ -0,0 +1 @@\n+new\n")).toBe(
        "new\n1\n2\n3\n",
      );
      expect(await applied("1\n2\n", "--- a\n+++ a\n@@ -2,0 +3 @@\n+new\n")).toBe("1\n2\nnew\n");
      expect((await refused("1\n", "--- a\n+++ a\n@@ -9,0 +10 @@\n+new\n")).message).toContain(
        "adds lines at line 9, but the file has 1 lines.",
      );
    });

    it("takes wrong counts where the body is clear", async () => {
      for (const header of [
        "@@ -1 +1 @@",
        "@@ -1,9 +1,9 @@",
        "@@ -1,2 +1,1 @@",
        "@@ ... @@",
        "@@",
      ]) {
        const patch = `--- a/a\n+++ b/a\n${header}\n 1\n-2\n+two\n 3\n`;
        expect(await applied("1\n2\n3\n4\n", patch), header).toBe("1\ntwo\n3\n4\n");
      }
    });

    it("never applies only a part of a hunk", async () => {
      const patch = "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n3\n-4\n+four\n";
      expect((await refused("1\n2\n3\n4\n", patch)).code).toBe("invalid-arguments");
      const broken = patch.replace("-1,2 +1,2", "-1,4 +1,4");
      expect(await refused("1\n2\n3\n4\n", broken)).toMatchObject({
        code: "invalid-arguments",
        message: expect.stringMatching(/^Line 7 of the patch: /u),
      });
    });

    it("takes blank lines that lost their space, and text around the patch", async () => {
      const patch = [
        "Here it is:",
        "```diff",
        "--- a/a\t2024-01-01 10:00:00.000000000 +0000",
        "+++ b/a\t2024-01-01 10:00:01.000000000 +0000",
        "@@ -1,4 +1,4 @@",
        " 1",
        "",
        "-2",
        "+two",
        "",
        "```",
        "Hope it helps.",
      ].join("\n");
      expect(await applied("1\n\n2\n\n3\n", patch)).toBe("1\n\ntwo\n\n3\n");
    });

    it("takes removed and added lines that look like headers", async () => {
      const patch = "--- a\n+++ a\n@@ -1,3 +1,3 @@\n 1\n--- x\n+++ y\n 3\n";
      expect(await applied("1\n-- x\n3\n", patch)).toBe("1\n++ y\n3\n");
    });

    it("reads what git mails", async () => {
      const patch = [
        "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001",
        "From: Ann <ann@example.org>",
        "Subject: [PATCH] Change it",
        "",
        "rename from here to there, they said",
        "---",
        " a | 2 +-",
        " 1 file changed, 1 insertion(+), 1 deletion(-)",
        "",
        "diff --git a/a b/a",
        "index 587be6b..975fbec 100644",
        "--- a/a",
        "+++ b/a",
        "@@ -1 +1 @@",
        "-x",
        "+y",
        "-- ",
        "2.39.5",
        "",
      ].join("\n");
      expect(await applied("x\n", patch)).toBe("y\n");
    });

    it("knows absent files by the time that diff -N gives them", async () => {
      const { apply, read } = start({ gone: "x\n" });
      await apply(
        [
          "diff -Naur old/new new/new",
          "--- new\t1970-01-01 01:00:00.000000000 +0100",
          "+++ new\t2024-01-01 10:00:00.000000000 +0100",
          "@@ -0,0 +1 @@",
          "+n",
          "--- gone\t2024-01-01 10:00:00.000000000 +0100",
          "+++ gone\t1970-01-01 01:00:00.000000000 +0100",
          "@@ -1 +0,0 @@",
          "-x",
        ].join("\n"),
      );
      expect(await read("new")).toBe("n\n");
      expect(await read("gone")).toBeUndefined();
    });

    it("reads quoted names", async () => {
      const { apply, read } = start({ 'ä"\t': "x\n" });
      await apply('--- "a/\\303\\244\\"\\t"\n+++ "b/\\303\\244\\"\\t"\n@@ -1 +1 @@\n-x\n+y\n');
      expect(await read('ä"\t')).toBe("y\n");
    });

    it("takes absolute paths", async () => {
      const { apply, read, root } = start({ a: "x\n" });
      await apply(`--- ${root}/a\n+++ ${root}/a\n@@ -1 +1 @@\n-x\n+y\n`);
      expect(await read("a")).toBe("y\n");
    });

    it("refuses to create what is there, unless it is the same", async () => {
      const patch = "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n";
      expect((await refused("other\n", patch)).code).toBe("conflict");
      const { apply } = start({ a: "x\n" });
      expect(await apply(patch)).toEqual({
        files: [],
        message: "Nothing to change: the patch is already applied.",
      });
    });

    it("deletes only what it shows, all of it", async () => {
      const patch = "--- a/a\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n";
      expect(await applied("1\n2\n", patch)).toBeUndefined();
      expect((await refused("1\n2\n3\n", patch)).message).toContain("does not contain all");
      expect((await refused("1\nzwei\n", patch)).code).toBe("conflict");
      const empty = "diff --git a/a b/a\ndeleted file mode 100644\nindex e69de29..0000000\n";
      expect(await applied("", empty)).toBeUndefined();
      expect((await refused("1\n", empty)).code).toBe("conflict");
    });

    it("refuses to rename over a file", async () => {
      const { apply, read } = start({ a: "a\n", b: "b\n" });
      const call = apply("diff --git a/a b/b\nrename from a\nrename to b\n");
      await expect(call).rejects.toMatchObject({ code: "conflict" });
      expect(await read("a")).toBe("a\n");
      expect(await read("b")).toBe("b\n");
    });

    it.each<[string, string, RegExp]>([
      ["no patch", "hello", /contains no patch/u],
      ["a hunk without a file", "@@ -1 +1 @@\n-x\n+y\n", /hunk has no file/u],
      ["half a header", "--- a/a\n@@ -1 +1 @@\n-x\n+y\n", /two lines/u],
      ["no hunks", "--- a/a\n+++ b/a\n", /has no hunks/u],
      ["lines before the first hunk", "--- a/a\n+++ b/a\n-x\n+y\n", /hunk header/u],
      ["a binary patch", "diff --git a/a b/a\nGIT binary patch\nliteral 3\n", /binary/u],
      ["binary files", "diff --git a/a b/a\nBinary files a/a and b/a differ\n", /binary/u],
      ["a link", "diff --git a/l b/l\nnew file mode 120000\n", /only regular files/u],
      ["a merge", "diff --cc a\n@@@ -1,1 -1,1 +1,1 @@@\n- x\n++y\n", /merge/u],
      ["an empty hunk", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n", /has no lines/u],
      [
        "lines behind the last",
        "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n x\n\\ No newline at end of file\n-y\n+z\n",
        /after the one/u,
      ],
    ])("refuses %s", async (_case, patch, message) => {
      const error = await refused("x\n", patch);
      expect(error).toMatchObject({ code: "invalid-arguments" });
      expect(error.message).toMatch(message);
    });
  });

  describe("where there is guidance", () => {
    const files = {
      "AGENTS.md": "",
      "a/AGENTS.md": "",
      "a/x": "one\n",
      "b/CLAUDE.md": "",
      "b/x": "one\n",
      "c/CONTEXT.md": "",
      "c/x": "one\n",
      "d/AGENTS.md": "",
    };
    const patch = (...lines: string[]): string =>
      ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

    it("names it for all files in their order, without repeats, moved ones at both ends", async () => {
      const { apply, root } = start(files);
      const data = await apply(
        patch(
          ...["*** Update File: b/x", "*** Move to: d/x", "@@", "-one", "+two"],
          ...["*** Add File: a/new/y", "+new", "*** Delete File: c/x"],
        ),
      );
      expect(data.guidance).toEqual(
        ["AGENTS.md", "b/CLAUDE.md", "d/AGENTS.md", "a/AGENTS.md", "c/CONTEXT.md"].map(
          (path) => `${root}/${path}`,
        ),
      );
    });

    it("names each file once a session, and not what the patch itself changes", async () => {
      const { apply, root } = start(files);
      const first = await apply(
        patch("*** Add File: a/y", "+y", "*** Add File: AGENTS.md", "+Be kind."),
      );
      expect(first.guidance).toEqual([`${root}/a/AGENTS.md`]);
      const second = await apply(patch("*** Add File: a/z", "+z"));
      expect(second.guidance).toEqual([`${root}/AGENTS.md`]);
      expect(await apply(patch("*** Add File: z", "+z"))).not.toHaveProperty("guidance");
    });
  });

  describe("with the form from Begin Patch to End Patch", () => {
    const wrap = (body: string): string => `*** Begin Patch\n${body}*** End Patch\n`;
    const update = (body: string): string => wrap(`*** Update File: a\n${body}`);

    it("adds, updates, moves and deletes files together", async () => {
      const { apply, read, root } = start({ a: "1\n2\n", b: "x\n", c: "y\n" });
      const data = await apply(
        wrap(
          [
            "*** Add File: d/new.txt",
            "+hello",
            "+",
            "+world",
            "*** Update File: a",
            "@@",
            " 1",
            "-2",
            "+two",
            "*** Update File: b",
            "*** Move to: d/b",
            "@@",
            "-x",
            "+z",
            "*** Delete File: c",
            "",
          ].join("\n"),
        ),
      );
      expect(await read("d/new.txt")).toBe("hello\n\nworld\n");
      expect(await read("a")).toBe("1\ntwo\n");
      expect(await read("b")).toBeUndefined();
      expect(await read("d/b")).toBe("z\n");
      expect(await read("c")).toBeUndefined();
      expect(data.files[2]).toMatchObject({
        path: `${root}/b`,
        action: "moved",
        moved_to: `${root}/d/b`,
        strategy: "exact",
      });
    });

    it("is found in a heredoc, a fence, or with carriage returns", async () => {
      const patch = update("@@\n-x\n+y\n");
      for (const wrapped of [
        `apply_patch <<'EOF'\n${patch}EOF\n`,
        `bash -lc "apply_patch" <<EOF\n${patch}EOF`,
        `\`\`\`\n${patch}\`\`\`\n`,
        patch.replaceAll("\n", "\r\n"),
        `  ${patch.trim()}  `,
        patch.replace("*** End Patch\n", ""),
        patch.replace("*** Update", "  *** Update"),
        patch.replace("*** End", " *** End"),
        JSON.stringify(patch).slice(1, -1),
        patch.replaceAll("\n", "\\n"),
      ]) {
        expect(await applied("x\n", wrapped)).toBe("y\n");
      }
    });

    it("goes forward from its anchor", async () => {
      const methods = (name: string): string =>
        `class ${name}:\n    def f(self):\n        return 1\n\n`;
      const before = methods("A") + methods("B") + methods("C");
      const patch = update("@@ class B:\n@@ def f(self):\n-        return 1\n+        return 2\n");
      const after = methods("A") + methods("B").replace("1", "2") + methods("C");
      expect(await applied(before, patch)).toBe(after);
      expect(await applied(before, patch.replace("@@ def f(self):\n", ""))).toBe(after);
      const repeated = update(
        "@@ class B:\n class B:\n     def f(self):\n-        return 1\n+        return 2\n",
      );
      expect(await applied(before, repeated)).toBe(after);
    });

    it("refuses an anchor that does not decide, or that is not there", async () => {
      const before = "f\nx\nf\nx\n";
      expect((await refused(before, update("@@ f\n-x\n+y\n"))).message).toContain("lines 2, 4.");
      expect((await refused(before, update("@@ f\n+y\n"))).message).toContain("lines 1, 3.");
      expect((await refused(before, update("@@ g\n-x\n+y\n"))).message).toContain('the anchor "g"');
    });

    it("takes an anchor that is the beginning of its line, but not of a name", async () => {
      const before = "def get_all(self):\n    x\ndef get(self):\n    x\n";
      const patch = update("@@ def get\n-    x\n+    y\n");
      expect(await applied(before, patch)).toBe(
        "def get_all(self):\n    x\ndef get(self):\n    y\n",
      );
    });

    it("indents a hunk like the file, if all its lines are shifted alike", async () => {
      const before = "f {\n\tif (a) {\n\t\tb;\n\t}\n}\n";
      const after = "f {\n\tif (a) {\n\t\tb;\n\t\tc;\n\t}\n}\n";
      const spaces = update("@@\n     if (a) {\n         b;\n+        c;\n     }\n");
      expect(await applied(before, spaces)).toBe(after);
      const flat = update("@@\n if (a) {\n \tb;\n+\tc;\n }\n");
      expect(await applied(before, flat)).toBe(after);
      const uneven = update("@@\n if (a) {\n b;\n+c;\n }\n");
      expect((await refused(before, uneven)).message).toContain("only space differs");
    });

    it("writes look-alikes as the file has them", async () => {
      const patch = update("@@\n-a = \u2019x\u2019;\n+a = \u2019y\u2019;\n b\n");
      expect(await applied("a = 'x';\nb  \n", patch)).toBe("a = 'y';\nb  \n");
    });

    it("takes a carriage return between other line endings for one", async () => {
      const patch = update("@@\n a\n-b\n+B\n c\n");
      expect(await applied("a\r\nx\r\na\rb\nc\r\n", patch)).toBe("a\r\nx\r\na\rB\r\nc\r\n");
    });

    it("takes an anchor that stands several times where the lines stand once", async () => {
      expect(await applied("f\nx\nf\nz\n", update("@@ f\n-z\n+y\n"))).toBe("f\nx\nf\ny\n");
    });

    it("refuses lines that stand several times without an anchor", async () => {
      const error = await refused("x\nx\n", update("@@\n-x\n+y\n"));
      expect(error.message).toContain("matches in several places: lines 1, 2.");
    });

    it("goes forward from hunk to hunk", async () => {
      const patch = update("@@\n a\n-x\n+1\n@@\n-x\n+2\n");
      expect(await applied("a\nx\nb\nx\n", patch)).toBe("a\n1\nb\n2\n");
      const backward = update("@@\n-b\n+B\n@@\n-a\n+A\n");
      expect((await refused("a\nb\n", backward)).message).toContain(
        "before those of the previous hunk",
      );
    });

    it("puts several hunks behind the same anchor", async () => {
      const patch = update("@@ f\n-x\n+1\n@@ f\n-y\n+2\n");
      expect(await applied("f\nx\nz\ny\n", patch)).toBe("f\n1\nz\n2\n");
    });

    it("puts added lines behind their anchor, or else at the end", async () => {
      expect(await applied("a\nb\nc\n", update("@@ b\n+new\n"))).toBe("a\nb\nnew\nc\n");
      expect(await applied("a\n  b\nc\n", update("@@ b\n+1\n+2\n"))).toBe("a\n  b\n1\n2\nc\n");
      expect(await applied("a\nb\n", update("@@\n+new\n"))).toBe("a\nb\nnew\n");
      expect(await applied("a\nb", update("@@\n+new\n"))).toBe("a\nb\nnew");
      expect(await applied("", update("+new\n"))).toBe("new\n");
      expect(await applied("a\nb\n", update("@@ a\n+new\n*** End of File\n"))).toBe("a\nb\nnew\n");
    });

    it("holds a hunk to the end of the file where it says so", async () => {
      const patch = update("@@\n-x\n+y\n*** End of File\n");
      expect(await applied("x\na\nx\n", patch)).toBe("x\na\ny\n");
      expect((await refused("x\na\n", patch)).message).toContain("not at the end of the file");
    });

    it("understands the other form's line numbers", async () => {
      expect(await applied("x\nx\nx\n", update("@@ -2,1 +2,1 @@\n-x\n+y\n"))).toBe("x\ny\nx\n");
    });

    it("overwrites with Add File and Move to", async () => {
      const { apply, read } = start({ a: "a\n", b: "b\n", c: "c\n" });
      const data = await apply(
        wrap("*** Add File: a\n+new\n*** Update File: b\n*** Move to: c\n@@\n-b\n+B\n"),
      );
      expect(await read("a")).toBe("new\n");
      expect(await read("b")).toBeUndefined();
      expect(await read("c")).toBe("B\n");
      expect(data.files.map(({ action }) => action)).toEqual(["updated", "moved"]);
    });

    it("does the same file in several sections, in order", async () => {
      const { apply, read } = start({ a: "1\n2\n3\n" });
      const data = await apply(
        update(
          "@@\n-1\n+one\n*** Update File: a\n@@\n one\n-2\n+two\n*** Update File: ./a\n@@\n-3\n",
        ),
      );
      expect(await read("a")).toBe("one\ntwo\n");
      expect(data.files).toHaveLength(1);
      expect(data.files[0]?.diff).toContain("-1\n-2\n-3\n+one\n+two\n");
    });

    it("deletes and adds, adds and updates, moves on and deletes what it made", async () => {
      const { apply, read } = start({ a: "1\n", m: "m\n" });
      const data = await apply(
        wrap(
          [
            "*** Delete File: a",
            "*** Add File: a",
            "+2",
            "*** Update File: a",
            "@@",
            "-2",
            "+3",
            "*** Add File: t",
            "+t",
            "*** Delete File: t",
            "*** Update File: m",
            "*** Move to: n",
            "*** Update File: n",
            "*** Move to: o",
            "@@",
            "-m",
            "+o",
            "",
          ].join("\n"),
        ),
      );
      expect(await read("a")).toBe("3\n");
      expect(await read("t")).toBeUndefined();
      expect(await read("n")).toBeUndefined();
      expect(await read("o")).toBe("o\n");
      expect(data.files.map(({ action }) => action)).toEqual(["updated", "moved"]);
    });

    it("swaps two files", async () => {
      const { apply, read } = start({ b: "2\n", c: "3\n" });
      await apply(
        wrap(
          "*** Update File: b\n*** Move to: t\n*** Update File: c\n*** Move to: b\n*** Update File: t\n*** Move to: c\n",
        ),
      );
      expect(await read("b")).toBe("3\n");
      expect(await read("c")).toBe("2\n");
      expect(await read("t")).toBeUndefined();
    });

    it.each<[string, string, RegExp]>([
      ["no end", "*** Begin Patch\n*** Add File: b\n+x\n", /has no `\*\*\* End Patch`/u],
      ["a line without a sign", update("@@\n-x\n+y\nz\n"), /^Line 6 of the patch: /u],
      ["an unknown section", wrap("*** Rename File: a\n"), /expected/u],
      ["a section without a path", wrap("*** Add File: \n+x\n"), /expected/u],
      ["an update without hunks", update(""), /has no hunks/u],
      ["an empty hunk", update("@@ x\n@@ y\n"), /has no lines/u],
      ["a new file without signs", wrap("*** Add File: b\nx\n"), /begin with \+/u],
      ["nothing", wrap(""), /contains no patch/u],
      ["two of them", update("@@\n-x\n+y\n") + update("@@\n-x\n+z\n"), /another patch/u],
      [
        "a diff behind it",
        `${update("@@\n-x\n+y\n")}diff --git a/b b/b\nnew file mode 100644\n`,
        /another patch/u,
      ],
    ])("refuses %s", async (_case, patch, message) => {
      const error = await refused("x\n", patch);
      expect(error).toMatchObject({ code: "invalid-arguments" });
      expect(error.message).toMatch(message);
    });
  });
});

describe.each(computers)("%s", (_, make) => {
  const runtime = () => openRuntime(make({ "AGENTS.md": "", "a.txt": "one\ntwo\n" }), applyPatch);
  describeToolContract(applyPatch, [
    {
      name: "a unified diff",
      arguments: { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" },
      runtime,
      expect: { data: { message: "Applied to 1 file: 1 updated." } },
    },
    {
      name: "a new file",
      arguments: { patch: "*** Begin Patch\n*** Add File: b.txt\n+b\n*** End Patch" },
      runtime,
      expect: { data: { message: "Applied to 1 file: 1 created." } },
    },
    {
      name: "what does not match",
      arguments: { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-three\n+3\n" },
      runtime,
      expect: { error: "conflict" },
    },
    {
      name: "a missing file",
      arguments: { patch: "--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-three\n+3\n" },
      runtime,
      expect: { error: "not-found" },
    },
    {
      name: "no patch",
      arguments: { patch: "x" },
      runtime,
      expect: { error: "invalid-arguments" },
    },
  ]);
});
