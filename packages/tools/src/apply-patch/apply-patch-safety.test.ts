import { type Runtime, ToolError } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { applyPatch } from "./apply-patch.ts";

const wrap = (body: string): string => `*** Begin Patch\n${body}*** End Patch\n`;
const resourceKeys = (patch: string) => applyPatch.execution?.resourceKeys?.({ patch });

describe("apply_patch", () => {
  it("names every path that it touches and whether it reads the file, and nothing for a malformed patch", () => {
    expect(
      resourceKeys(
        wrap("*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n*** Delete File: a\n"),
      ),
    ).toEqual([
      { key: "a", mode: "write" },
      { key: "b", mode: "write", reads: true },
      { key: "c", mode: "write" },
    ]);
    expect(
      resourceKeys(
        "diff --git a/x b/y\nrename from x\nrename to y\n--- /dev/null\n+++ b/z\n@@ -0,0 +1 @@\n+z\n",
      ),
    ).toEqual([
      { key: "x", mode: "write", reads: true },
      { key: "y", mode: "write" },
      { key: "z", mode: "write" },
    ]);
    expect(resourceKeys("--- i/s/x.ts\n+++ w/s/x.ts\n@@ -1 +1 @@\n-z\n+y\n")).toEqual([
      { key: "s/x.ts", mode: "write", reads: true },
    ]);
    expect(resourceKeys("--- b/x\n+++ b/x\n@@ -1 +1 @@\n-z\n+y\n")).toEqual([
      { key: "b/x", mode: "write", reads: true },
    ]);
    expect(
      resourceKeys(
        "diff --git b/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+y\n",
      ),
    ).toEqual([{ key: "b/x", mode: "write" }]);
    expect(resourceKeys("garbage")).toEqual([]);
  });
});

describe.each(computers)("apply_patch %s", (_, make) => {
  const start = (files: Files) => {
    const computer = make(files);
    const runtime = openRuntime(computer, applyPatch);
    return { computer, runtime };
  };
  const apply = (patch: string, runtime: Runtime) => applyPatch.execute({ patch }, runtime);

  it.each<[string, string]>([
    ["secret-file", "*** Update File: .env\n@@\n-KEY=1\n+KEY=2\n"],
    ["secret-file", "*** Update File: .env\n*** Move to: env.txt\n"],
    ["denied", "*** Add File: .git/hooks/pre-commit\n+#!/bin/sh\n"],
    ["out-of-scope", "*** Add File: ../outside\n+x\n"],
    ["out-of-scope", "*** Update File: a\n*** Move to: /outside\n"],
    ["out-of-scope", "*** Delete File: /etc/hostname\n"],
    ["failed", "*** Delete File: d\n"],
    ["not-found", "*** Delete File: missing\n"],
  ])("answers %s and changes nothing for %j", async (code, section) => {
    const { runtime } = start({ a: "a\n", ".env": "KEY=1\n", "d/x": "" });
    const patch = wrap(`*** Add File: new\n+new\n*** Update File: a\n@@\n-a\n+b\n${section}`);
    await expect(apply(patch, runtime)).rejects.toMatchObject({ code });
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe("a\n");
    expect((await runtime.fs.list(".")).map(({ name }) => name)).toEqual([".env", "a", "d"]);
  });

  it("replaces and deletes what it may not read without showing it", async () => {
    const { runtime } = start({ ".env": "KEY=1\n" });
    const replaced = await apply(wrap("*** Add File: .env\n+KEY=2\n"), runtime);
    expect(JSON.stringify(replaced)).not.toContain("KEY=1");
    const deleted = await apply(wrap("*** Delete File: .env\n"), runtime);
    expect(JSON.stringify(deleted)).not.toContain("KEY=2");
    expect(await runtime.fs.list(".")).toEqual([]);
  });

  it("is a conflict if a file changed since it was read, or came to be", async () => {
    const { computer } = start({ a: "a\n", b: "b\n" });
    const patch = wrap(
      "*** Update File: a\n@@\n-a\n+A\n*** Update File: b\n@@\n-b\n+B\n*** Add File: c\n+c\n",
    );
    for (const late of ["b", "c"]) {
      const runtime = openRuntime(computer, applyPatch);
      const other = openRuntime(computer, applyPatch);
      const fs = {
        ...runtime.fs,
        change: async (changes: Parameters<typeof runtime.fs.change>[0]) => {
          await other.fs.write(late, `${late} too\n`);
          return runtime.fs.change(changes);
        },
      };
      const call = apply(patch.replace("-b", late === "b" ? "-b" : "-b too"), { ...runtime, fs });
      await expect(call).rejects.toMatchObject({ code: "conflict" });
      expect(new TextDecoder().decode(await other.fs.read("a"))).toBe("a\n");
    }
  });

  it("changes nothing once it is aborted", async () => {
    const controller = new AbortController();
    const computer = make({ a: "a\n" });
    const runtime = openRuntime(computer, applyPatch, { signal: controller.signal });
    controller.abort();
    await expect(apply(wrap("*** Delete File: a\n"), runtime)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(await runtime.fs.list(".")).toHaveLength(1);
  });

  it("keeps what it answers in bounds", async () => {
    const long = `${"x".repeat(99)}\n`.repeat(5_000);
    const { runtime } = start({ small: "s\n", long, other: long });
    const data = await apply(
      wrap("*** Update File: small\n@@\n-s\n+S\n*** Delete File: long\n*** Delete File: other\n"),
      runtime,
    );
    expect(JSON.stringify(data).length).toBeLessThan(120 * 1024);
    expect(data.files[0]?.diff).toContain("-s\n+S\n");
    expect(data.files[1]?.diff).toMatch(/\n\[\d+ more bytes of this diff omitted\]\n$/u);
    const wide = `${"y".repeat(50_000)}\n`;
    const { runtime: another } = start({ a: wide.repeat(50) });
    const call = apply(wrap(`*** Update File: a\n@@\n ${wide}-${"z".repeat(50_000)}\n`), another);
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(ToolError.isInstance(error) && error.message.length).toBeLessThan(2_000);
  });

  it("stays fast, however often lines repeat", async () => {
    const { runtime } = start({ a: "\n".repeat(200_000) });
    const hunk = `@@\n${" \n".repeat(5_000)}-x\n`;
    await expect(apply(wrap(`*** Update File: a\n${hunk}`), runtime)).rejects.toMatchObject({
      code: "conflict",
    });
  });
});
