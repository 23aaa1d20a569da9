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
      { path: "/w/a", type: "file", content: "1: x\n2: y", start_line: 1 },
      "path: /w/a\ntype: file\nstart_line: 1\n\n1: x\n2: y",
    ],
    [
      "a command's output below how it ended",
      { output: "boom\n", exit_code: 2, notes: ["slow"], advice: "Say -y." },
      'exit_code: 2\nnotes: ["slow"]\nadvice: Say -y.\n\nboom\n',
    ],
    ["a silent command", { output: "", exit_code: 0 }, '{"output":"","exit_code":0}'],
    [
      "matching lines with those around them",
      {
        matches: [
          { path: "/w/a", line: 7, text: "hit", before: ["b"], after: ["c"] },
          { path: "/w/b", line: 1, text: "long", clipped: true },
        ],
        truncated: true,
        message: "More lines match.",
      },
      "truncated: true\n\n/w/a-6- b\n/w/a:7: hit\n/w/a-8- c\n/w/b:1: long… [line truncated]\n\nMore lines match.",
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
    ["anything else as JSON", { todos: [{ id: 1 }] }, '{"todos":[{"id":1}]}'],
    [
      "a match that says more than lines can as JSON",
      { matches: [{ path: "a", line: 1, text: "b", score: 3 }] },
      '{"matches":[{"path":"a","line":1,"text":"b","score":3}]}',
    ],
  ])("shows %s", (_, data, text) => {
    expect(toModelText(output(data))).toBe(text);
  });

  it("tells where the whole of a cut output is", () => {
    const cut = output("head", { truncated: true, output_path: "/s/1.txt" });
    expect(toModelText(cut)).toBe(
      "head\n\n[Truncated: this is only part of the output. The whole, as far as it was kept, is in /s/1.txt; read it from there.]",
    );
  });

  it("reports warnings, and output that is partly lost", () => {
    const text = toModelText(output("head", { truncated: true, warnings: ["The disk is full."] }));
    expect(text).toBe(
      "head\n\n[Truncated: this is only part of the output.]\n\n[Warning: The disk is full.]",
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
    expect(toModelText(output(data))).toBe(JSON.stringify(data));
  });
});
