import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { moveFile } from "./move-file.ts";

describe.each(computers)("move_file %s", (_, make) => {
  it("moves a file and makes the directories on its way", async () => {
    const computer = make({ a: "text" });
    const runtime = openRuntime(computer, moveFile);
    const [from, to] = [`${computer.roots[0]}/a`, `${computer.roots[0]}/x/y/b`];
    const data = await moveFile.execute({ from: "a", to: "x/y/b" }, runtime);
    expect(data).toEqual({ from, to, message: `Moved ${from} to ${to}.` });
    expect(new TextDecoder().decode(await runtime.fs.read(to))).toBe("text");
    await expect(runtime.fs.stat(from)).rejects.toMatchObject({ code: "not-found" });
  });

  it.each([
    { title: "onto a file", from: "a", to: "b", code: "conflict" },
    { title: "onto itself", from: "a", to: "a", code: "conflict" },
    { title: "onto a directory", from: "a", to: "d", code: "conflict" },
    { title: "a missing file", from: "none", to: "new/c", code: "not-found" },
    { title: "a directory", from: "d", to: "e", code: "failed" },
    { title: "below a file", from: "a", to: "b/c", code: "failed" },
    { title: "a file with secrets", from: ".env", to: "shown.txt", code: "secret-file" },
    { title: "out of the workspace", from: "a", to: "/tmp/haft-a", code: "out-of-scope" },
    { title: "into the workspace", from: "/etc/passwd", to: "c", code: "out-of-scope" },
    { title: "to a protected place", from: "a", to: ".git/hooks/pre-commit", code: "denied" },
  ])("does not move $title", async ({ from, to, code }) => {
    const runtime = openRuntime(make({ a: "a", b: "b", "d/c": "c", ".env": "x" }), moveFile);
    const before = await runtime.fs.list(".");
    await expect(moveFile.execute({ from, to }, runtime)).rejects.toMatchObject({ code });
    expect(await runtime.fs.list(".")).toEqual(before);
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe("a");
  });

  it("moves nothing when it is already aborted", async () => {
    const runtime = openRuntime(make({ a: "" }), moveFile, { signal: AbortSignal.abort() });
    await expect(moveFile.execute({ from: "a", to: "b" }, runtime)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(await runtime.fs.list(".")).toEqual([{ name: "a", kind: "file" }]);
  });

  const runtime = () => openRuntime(make({ a: "", b: "" }), moveFile);
  describeToolContract(moveFile, [
    { name: "a file", arguments: { from: "a", to: "c" }, runtime },
    {
      name: "onto another",
      arguments: { from: "a", to: "b" },
      runtime,
      expect: { error: "conflict" },
    },
    { name: "nowhere", arguments: { from: "a" }, runtime, expect: { error: "invalid-arguments" } },
  ]);
});
