import { describe, expect, it } from "vitest";
import { openScope, readText } from "../test-support/open-scope.ts";
import { createMemoryComputer } from "./memory-computer.ts";

describe("createMemoryComputer", () => {
  it("starts with an empty workspace", async () => {
    const computer = createMemoryComputer();
    expect(computer.roots).toEqual(["/workspace"]);
    expect(await openScope(computer).files.list(".")).toEqual([]);
  });

  it("takes files by relative and absolute path, text and bytes", async () => {
    const content = new Uint8Array([1, 2]);
    const computer = createMemoryComputer({
      root: "/w/",
      files: { "a/b.txt": "text", "/w/c.bin": content, "/other/d": "out" },
    });
    content.fill(0);
    const { files } = openScope(computer);
    expect(await readText(files, "a/b.txt")).toBe("text");
    expect(await files.read("/w/c.bin")).toEqual(new Uint8Array([1, 2]));
    await expect(files.read("/other/d")).rejects.toMatchObject({ code: "out-of-scope" });
  });

  it("can have the top for its root", async () => {
    const { files } = openScope(createMemoryComputer({ root: "/", files: { a: "" } }));
    expect(await files.list("/")).toEqual([{ name: "a", kind: "file" }]);
    await expect(files.remove("/")).rejects.toMatchObject({ code: "denied" });
  });

  it("shares nothing with other computers", () => {
    expect(createMemoryComputer().space).not.toBe(createMemoryComputer().space);
  });

  it("says that there is no home", () => {
    expect(() => createMemoryComputer().resolve("~/x")).toThrow("has none");
  });
});
