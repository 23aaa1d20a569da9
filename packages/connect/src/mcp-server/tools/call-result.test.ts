import type { Metadata, ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { toCallResult } from "./call-result.ts";

const output = (data: unknown, metadata: Partial<Metadata> = {}): ToolResult => ({
  type: "output",
  data,
  metadata: { duration_ms: 1, ...metadata },
});

const failure = (error_code: Metadata["error_code"]): ToolResult => ({
  type: "error",
  error_text: "It did not work.",
  metadata: { duration_ms: 1, ...(error_code !== undefined && { error_code }) },
});

describe("toCallResult", () => {
  it("says all there is to say in the text and in the data", () => {
    const metadata = {
      truncated: true,
      output_path: "/s/1.txt",
      warnings: ["The disk is slow."],
      track_files: ["/w/a"],
    } as const;
    const { content, structuredContent } = toCallResult(
      output(
        { output: "x", exit_code: 0 },
        { ...metadata, warnings: [...metadata.warnings], track_files: [...metadata.track_files] },
      ),
      true,
    );
    expect(structuredContent).toEqual({
      output: "x",
      exit_code: 0,
      truncated: true,
      output_path: "/s/1.txt",
      warnings: ["The disk is slow."],
      changed_files: ["/w/a"],
    });
    const text = JSON.stringify(content);
    for (const fact of ["exit_code: 0", "x", "/s/1.txt", "The disk is slow.", "/w/a"]) {
      expect(text).toContain(fact);
    }
  });

  it("leaves a tool's own fields alone, but for one that says nothing was cut", () => {
    const data = { warnings: 3, truncated: false };
    const result = toCallResult(output(data, { truncated: true, warnings: ["w"] }), true);
    expect(result.structuredContent).toEqual({ warnings: 3, truncated: true });
  });

  it.each([
    ["a text", "hello"],
    ["a list", [1, 2]],
    ["nothing", null],
  ])("has %s as text only, unless more was promised", (_, data) => {
    expect(toCallResult(output(data), false).structuredContent).toBeUndefined();
    expect(toCallResult(output(data), true).structuredContent).toEqual({
      head: expect.any(String),
    });
  });

  it("gives images that a server of other tools sent", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const { content, structuredContent } = toCallResult(output({ content: [image] }), false);
    expect(content).toContainEqual(image);
    expect(JSON.stringify(structuredContent)).not.toContain("aGk=");
  });

  it("makes an error a result that names its code, or the protocol's own", () => {
    expect(toCallResult(failure("conflict"), true)).toEqual({
      content: [{ type: "text", text: "It did not work." }],
      isError: true,
      _meta: { error_code: "conflict" },
    });
    expect(() => toCallResult(failure("unknown-tool"), false)).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });
});
