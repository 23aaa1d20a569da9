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

const form = (kind: "text" | "structured", promised = false) =>
  ({ form: kind, promised, roots: ["/w"] }) as const;

describe("toCallResult", () => {
  it("says all there is to say in the text and in the data", () => {
    const metadata = {
      truncated: true,
      output_path: "/s/1.txt",
      warnings: ["The disk is slow."],
      track_files: ["/w/a.txt"],
    } as const;
    const result = output(
      { output: "x", exit_code: 0 },
      { ...metadata, warnings: [...metadata.warnings], track_files: [...metadata.track_files] },
    );
    const { content: none, structuredContent } = toCallResult(result, form("structured", true));
    expect(none).toEqual([]);
    expect(structuredContent).toEqual({
      output: "x",
      exit_code: 0,
      truncated: true,
      output_path: "/s/1.txt",
      warnings: ["The disk is slow."],
      changed_files: ["/w/a.txt"],
    });
    expect(toCallResult(result, form("text", true))).toEqual({
      content: [
        {
          type: "text",
          text: [
            "exit_code: 0",
            "[Truncated: this is only part of the output. The whole, as far as it was kept, is in /s/1.txt; read it from there.]",
            "x",
            "[Warning: The disk is slow.]",
            "[Changed: a.txt]",
          ].join("\n\n"),
        },
      ],
    });
  });

  it("leaves a tool's own fields alone, but for one that says nothing was cut", () => {
    const data = { warnings: 3, truncated: false };
    const result = toCallResult(
      output(data, { truncated: true, warnings: ["w"] }),
      form("structured"),
    );
    expect(result.structuredContent).toEqual({ warnings: 3, truncated: true });
  });

  it.each([
    ["a text", "hello"],
    ["a list", [1, 2]],
    ["nothing", null],
  ])("has %s as text only, unless more was promised", (_, data) => {
    expect(toCallResult(output(data), form("structured")).structuredContent).toBeUndefined();
    expect(toCallResult(output(data), form("structured", true)).structuredContent).toEqual({
      head: expect.any(String),
    });
  });

  it("gives images that a server of other tools sent", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const { content, structuredContent } = toCallResult(
      output({ content: [image] }),
      form("structured"),
    );
    expect(content).toContainEqual(image);
    expect(JSON.stringify(structuredContent)).not.toContain("aGk=");
  });

  it("makes an error a result that names its code, or the protocol's own", () => {
    expect(toCallResult(failure("conflict"), form("structured", true))).toEqual({
      content: [{ type: "text", text: "It did not work." }],
      isError: true,
      _meta: { error_code: "conflict" },
    });
    expect(() => toCallResult(failure("unknown-tool"), form("text"))).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  });
});
