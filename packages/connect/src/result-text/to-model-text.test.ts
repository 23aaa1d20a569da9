import type { Metadata, ToolResult } from "@haft/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findImages } from "./find-images.ts";
import { toModelText } from "./to-model-text.ts";

const output = (data: unknown, metadata: Partial<Metadata> = {}): ToolResult => ({
  type: "output",
  data,
  metadata: { duration_ms: 1, ...metadata },
});

const png = "iVBORw0KGgo=";

describe("the text of a result", () => {
  it.each<[string, unknown, string]>([
    ["text as it is", "a\nb", "a\nb"],
    ["no text as something", "", "(empty)"],
    ["nothing as null", null, "null"],
    ["names as lines", ["/w/a", "/w/b"], "/w/a\n/w/b"],
    [
      "a file below what is known of it",
      {
        ...{ path: "/w/b/a", type: "file", content: "1: x\n2: y", size: 4 },
        ...{ start_line: 1, end_line: 2, total_lines: 2 },
      },
      "b/a: 2 lines\n\n1: x\n2: y",
    ],
    [
      "a part of a file with where to continue",
      {
        ...{ path: "/o/a", type: "file", content: "5: x", encoding: "latin1" },
        ...{ start_line: 5, end_line: 5, next_offset: 6 },
      },
      "/o/a: lines 5 to 5\nencoding: latin1\nnext_offset: 6\n\n5: x",
    ],
    [
      "bytes of a file with where to continue",
      { path: "/w/a", type: "file", content: "x", start_byte: 4, end_byte: 5, size: 9 },
      "a: bytes 4 to 5 of 9\nnext byte_offset: 5\n\nx",
    ],
    ["files without a count of none", { files: ["/w/a", "/w/b"], remaining: 0 }, "/w/a\n/w/b"],
    ["files with how many follow", { files: ["/w/a"], remaining: 7 }, "remaining: 7\n\n/w/a"],
    ["no files at all", { files: [], remaining: 0 }, "No files match."],
    [
      "a file that was written",
      { path: "/w/a", created: true, bytes: 1, message: "Created /w/a." },
      "Created /w/a.",
    ],
    [
      "an edit without what its diff says",
      { path: "/w/a", diff: "-a\n+b\n", line_range: [1, 1], replacements: 1, strategy: "exact" },
      "a: 1 replacement\n\n-a\n+b\n",
    ],
    [
      "a command's output below how it ended",
      { output: "boom\n", exit_code: 2, notes: ["slow"], advice: "Say -y." },
      'exit_code: 2\nnotes: ["slow"]\nadvice: Say -y.\n\nboom\n',
    ],
    ["a silent command", { output: "", exit_code: 0 }, "exit_code: 0\n\n(no output)"],
    [
      "matching lines with those around them, each file once and the count first",
      {
        matches: [
          { path: "/w/a", line: 7, text: "hit", before: ["b"], after: ["c"] },
          { path: "/w/a", line: 9, text: "hit" },
          { path: "/w/b/c", line: 1, text: "long", clipped: true },
        ],
        truncated: true,
        message: "More lines match.",
      },
      "More lines match.\n\na\n6- b\n7: hit\n8- c\n9: hit\n\nb/c\n1: long… [line truncated]",
    ],
    [
      "how a search was read, before what it found",
      { matches: [{ path: "/w/a", line: 1, text: "b" }], note: "Read as a|b." },
      "Read as a|b.\n\na\n1: b",
    ],
    [
      "a diff under its sentence's facts",
      { path: "/w/a", diff: "@@ -1 +1 @@\n-a\n+b\n", replacements: 1 },
      "path: /w/a\nreplacements: 1\n\n@@ -1 +1 @@\n-a\n+b\n",
    ],
    [
      "several changed files",
      { files: [{ path: "/w/a", action: "updated", diff: "+b\n", offset: 2 }], message: "Done." },
      'updated /w/a {"offset":2}\n+b\n\nDone.',
    ],
    [
      "what an MCP server sent",
      {
        content: [
          { type: "text", text: "hello" },
          { type: "image", data: png, mimeType: "image/png" },
          { type: "resource_link", uri: "x://y" },
        ],
      },
      'hello\n[image 1: image/png, 8 bytes]\n{"type":"resource_link","uri":"x://y"}',
    ],
    [
      "any other list as items",
      { todos: [{ id: 1, content: "a: b" }, { id: 2 }], summary: { pending: 2 } },
      'todos:\n- id: 1\n  content: a: b\n- id: 2\nsummary: {"pending":2}',
    ],
    [
      "a match that says more than lines can, as an item",
      { matches: [{ path: "a", line: 1, text: "b", score: 3 }] },
      "matches:\n- path: a\n  line: 1\n  text: b\n  score: 3",
    ],
  ])("shows %s", (_, data, text) => {
    expect(toModelText(output(data), { roots: ["/w"] })).toBe(text);
  });

  it("tells where the whole of a cut output is", () => {
    const cut = output("head", { truncated: true, output_path: "/s/1.txt" });
    expect(toModelText(cut)).toBe(
      "[Truncated: this is only part of the output. The whole, as far as it was kept, is in /s/1.txt; read it from there.]\n\nhead",
    );
  });

  it("reports warnings, and output that is partly lost", () => {
    const text = toModelText(output("head", { truncated: true, warnings: ["The disk is full."] }));
    expect(text).toBe(
      "[Truncated: this is only part of the output.]\n\nhead\n\n[Warning: The disk is full.]",
    );
  });

  it("says how a call was understood", () => {
    const text = toModelText(output("a", { notes: ["view was read as read."] }));
    expect(text).toBe("a\n\n[Note: view was read as read.]");
  });

  it("is the sentence of an error", () => {
    const metadata = { duration_ms: 1, error_code: "not-found" } as const;
    expect(toModelText({ type: "error", error_text: "No such file.", metadata })).toBe(
      "No such file.",
    );
  });

  it("has every fact of any data", () => {
    const text = fc.string({ minLength: 1 });
    const match = fc.record({ path: text, line: fc.nat(), text }, { requiredKeys: [] });
    const change = fc.record({ path: text, action: text, diff: text }, { requiredKeys: ["path"] });
    const field = fc.oneof(text, fc.integer(), fc.array(text), fc.array(match), fc.array(change));
    const keys = ["content", "output", "text", "matches", "files", "diff", "message", "other"];
    const data = fc.dictionary(fc.constantFrom(...keys), field);
    fc.assert(
      fc.property(data, (value) => {
        const shown = toModelText(output(value));
        for (const leaf of leavesOf(value)) {
          // An empty end of line more or less is no fact.
          const plain = String(leaf).replace(/\n$/u, "");
          const json = JSON.stringify(leaf).slice(1, -1);
          const jsonInJson = JSON.stringify(json).slice(1, -1);
          expect([plain, json, jsonInJson].some((one) => shown.includes(one))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return Object.values(value).flatMap(leavesOf);
}

describe("images", () => {
  it("are found wherever they are, in order", () => {
    const ours = { path: "/w/a.png", type: "image", media_type: "image/png", data: png };
    const theirs = { type: "image", mimeType: "image/webp", data: "UklGRg==" };
    expect(findImages({ first: ours, content: [{ type: "text", text: "x" }, theirs] })).toEqual([
      { mediaType: "image/png", data: png },
      { mediaType: "image/webp", data: "UklGRg==" },
    ]);
  });

  it("are named in the text, which has none of their bytes", () => {
    const data = { path: "/w/a.png", type: "image", content: "A PNG image.", data: png };
    const text = toModelText(output({ ...data, media_type: "image/png" }));
    expect(text).toContain("data: [image 1: image/png, 8 bytes]");
    expect(text).not.toContain(png);
  });

  it.each([
    { type: "image", data: png },
    { type: "image", data: png, media_type: "text/plain" },
    { type: "image", data: 5, media_type: "image/png" },
    { type: "file", data: png, media_type: "image/png" },
  ])("are not made of %o", (data) => {
    expect(findImages(data)).toEqual([]);
    expect(toModelText(output(data))).toContain(String(data.data));
  });
});
