import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { deleteFile } from "./delete-file.ts";

describe.each(computers)("delete_file %s", (_, make) => {
  it("deletes a file and nothing beside it", async () => {
    const computer = make({ "d/a": "text", "d/b": "text" });
    const runtime = openRuntime(computer, deleteFile);
    const path = `${computer.roots[0]}/d/a`;
    const data = await deleteFile.execute({ path: "d/a" }, runtime);
    expect(data).toEqual({ path, message: `Deleted ${path}.` });
    expect(await runtime.fs.list("d")).toEqual([{ name: "b", kind: "file" }]);
  });

  it("deletes nothing when it is already aborted", async () => {
    const runtime = openRuntime(make({ a: "" }), deleteFile, { signal: AbortSignal.abort() });
    await expect(deleteFile.execute({ path: "a" }, runtime)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(await runtime.fs.list(".")).toHaveLength(1);
  });

  const runtime = () => openRuntime(make({ a: "", "d/b": "", ".git/config": "" }), deleteFile);
  describeToolContract(deleteFile, [
    { name: "a file", arguments: { path: "a" }, runtime },
    { name: "a missing file", arguments: { path: "c" }, runtime, expect: { error: "not-found" } },
    { name: "a full directory", arguments: { path: "d" }, runtime, expect: { error: "conflict" } },
    { name: "the workspace", arguments: { path: "." }, runtime, expect: { error: "denied" } },
    {
      name: "a protected file",
      arguments: { path: ".git/config" },
      runtime,
      expect: { error: "denied" },
    },
    {
      name: "a path outside",
      arguments: { path: "/etc/passwd" },
      runtime,
      expect: { error: "out-of-scope" },
    },
    { name: "no path", arguments: {}, runtime, expect: { error: "invalid-arguments" } },
  ]);
});
