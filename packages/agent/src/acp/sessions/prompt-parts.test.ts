import type { ContentBlock } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import { toPromptParts } from "./prompt-parts.ts";

describe("what a person said", () => {
  it("is one text where links and resources stand between words", () => {
    expect(
      toPromptParts([
        { type: "text", text: "Compare " },
        { type: "resource_link", name: "a.ts", uri: "file:///project/a%20b.ts" },
        { type: "text", text: " with " },
        { type: "resource_link", name: "b", uri: "zed:///thread/5" },
        { type: "resource", resource: { uri: "file:///c.ts", text: "let c;" } },
      ]),
    ).toEqual([
      {
        type: "text",
        text: 'Compare [a.ts](/project/a b.ts) with [b](zed:///thread/5)\n<resource uri="file:///c.ts">\nlet c;\n</resource>\n',
      },
    ]);
  });

  it("has pictures where they stood", () => {
    const picture: ContentBlock = { type: "image", mimeType: "image/png", data: "AAAA" };
    const file = { type: "file", mediaType: "image/png", data: "AAAA" };
    expect(toPromptParts([picture])).toEqual([file]);
    const blob = { uri: "file:///a.png", mimeType: "image/png", blob: "AAAA" };
    expect(
      toPromptParts([
        { type: "text", text: "a" },
        { type: "resource", resource: blob },
        { type: "text", text: "b" },
      ]),
    ).toEqual([{ type: "text", text: "a" }, file, { type: "text", text: "b" }]);
  });

  it.each<[string, readonly ContentBlock[], string]>([
    ["nothing", [], "empty"],
    ["blanks", [{ type: "text", text: " \n" }], "empty"],
    ["audio", [{ type: "audio", mimeType: "audio/wav", data: "AAAA" }], "Audio"],
    ["a picture that is none", [{ type: "image", mimeType: "text/html", data: "" }], "text/html"],
    ["bytes", [{ type: "resource", resource: { uri: "file:///a", blob: "AA" } }], "file:///a"],
  ])("can't be %s", (_, blocks, words) => {
    expect(() => toPromptParts(blocks)).toThrow(words);
  });
});
