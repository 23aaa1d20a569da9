import { describe, expect, it } from "vitest";
import { toResultText } from "./result-text.ts";

describe("toResultText", () => {
  it.each([
    ["a text", "text", "text"],
    ["lines", ["a", "b"], "a\nb"],
    ["its content", { path: "/w/a", content: "1: a" }, "1: a"],
    ["a message", { path: "/w/a", message: "Created /w/a." }, "Created /w/a."],
    ["a diff", { path: "/w/a", diff: "--- a\n" }, "--- a\n"],
    ["a message with its diff", { message: "Done.", diff: "--- a\n" }, "Done.\n--- a\n"],
    [
      "the diffs of what was undone",
      { undone: [{ diff: "1\n" }, {}, { diff: "2\n" }], message: "Undone." },
      "Undone.\n1\n2\n",
    ],
    [
      "the diffs of a patch",
      {
        files: [
          { path: "/w/a", diff: "1\n" },
          { path: "/w/b", diff: "2\n" },
        ],
        message: "Done.",
      },
      "Done.\n1\n2\n",
    ],
    [
      "an image by its kind and size",
      { path: "/w/a.png", type: "image", media_type: "image/png", data: "AAAAAA==" },
      "/w/a.png: image/png, 4 bytes",
    ],
    ["anything else as JSON", { a: [1] }, '{\n  "a": [\n    1\n  ]\n}'],
    ["nothing", null, "null"],
  ])("shows %s", (_, data, text) => {
    expect(toResultText(data)).toEqual({ text });
  });

  it("shows matches with the lines around them", () => {
    const matches = [
      { path: "/w/a", line: 3, text: "x", before: ["1", "2"], after: ["4"] },
      { path: "/w/b", line: 1, text: "xxx", clipped: true },
    ];
    const found = { matches, truncated: true, message: "There is more." };
    expect(toResultText({ ...found, note: "/x/ was read as x." })).toEqual({
      text: "/w/a-1- 1\n/w/a-2- 2\n/w/a:3: x\n/w/a-4- 4\n/w/b:1: xxx…",
      remarks: ["/x/ was read as x.", "There is more."],
    });
  });

  it("shows a page's text, and what has to be said of it beside", () => {
    const page = { url: "https://a.example/", status: 200, content_type: "text/html", text: "Hi." };
    expect(toResultText(page)).toEqual({ text: "Hi." });
    expect(toResultText({ ...page, note: "Cut." })).toEqual({ text: "Hi.", remarks: ["Cut."] });
  });

  it("shows search results page by page, and reports if there are none", () => {
    const results = [
      { title: "A", url: "https://a.example/", snippet: "About a." },
      { title: "B", url: "https://b.example/", snippet: "" },
    ];
    expect(toResultText({ results })).toEqual({
      text: "A\nhttps://a.example/\nAbout a.\n\nB\nhttps://b.example/",
    });
    expect(toResultText({ results: [] })).toEqual({ text: "", remarks: ["no results"] });
  });

  it("shows what checks found where, and how they went beside it", () => {
    const checks = [
      { problems: [{ file: "a.ts", line: 3, column: 7, code: "TS1", message: "no" }] },
      { passed: false, problems: [{ message: "odd" }], output: "the end\n" },
      { passed: true, problems: [], output: "all is well\n" },
    ];
    expect(toResultText({ passed: false, message: "types failed.", checks })).toEqual({
      text: "a.ts:3:7: no [TS1]\nodd\nthe end",
      remarks: ["types failed."],
    });
  });

  it("shows files one per line, and reports how many are left or if there are none", () => {
    expect(toResultText({ files: ["/w/a", "/w/b"], remaining: 0 })).toEqual({ text: "/w/a\n/w/b" });
    expect(toResultText({ files: ["/w/a"], remaining: 7 })).toEqual({
      text: "/w/a",
      remarks: ["7 more"],
    });
    expect(toResultText({ files: [], remaining: 0 })).toEqual({
      text: "",
      remarks: ["no matching files"],
    });
    expect(toResultText({ files: [], remaining: 0, message: "**/*.ts matches 2." })).toEqual({
      text: "",
      remarks: ["**/*.ts matches 2."],
    });
    expect(toResultText({ files: ["/w/a"], remaining: 7, message: "It was read as *." })).toEqual({
      text: "/w/a",
      remarks: ["It was read as *.", "7 more"],
    });
  });
});
