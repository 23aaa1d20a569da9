import { describe, expect, it } from "vitest";
import { openScope } from "../test-support/open-scope.ts";
import { describeSearching } from "../test-support/searching.conformance.ts";
import { createMemoryComputer } from "./memory-computer.ts";

describeSearching("memory", (files = {}) => createMemoryComputer({ files }));

describe("searching in memory", () => {
  const grep = (content: string | Uint8Array, pattern: string) =>
    openScope(createMemoryComputer({ files: { a: content } })).files.findText({
      pattern,
      path: ".",
      literal: false,
      caseSensitive: true,
      limit: 10,
      lineLength: 80,
    });

  it("reads UTF-16 that says so", async () => {
    const bytes = Uint8Array.from([0xff, 0xfe, 0x66, 0, 0x6f, 0, 0x6f, 0]);
    expect((await grep(bytes, "foo")).matches).toMatchObject([{ line: 1, text: "foo" }]);
  });

  it("refuses an expression that could take too long for a line", async () => {
    await expect(grep("a".repeat(100_000), "x.*y.*z")).rejects.toMatchObject({ code: "too-large" });
  });

  it("refuses an expression that only ripgrep understands", async () => {
    await expect(grep("a", "(?x) a # b")).rejects.toMatchObject({ code: "invalid-arguments" });
  });
});
