import { describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { write } from "./write.ts";

describe.each(computers)("write %s", (_, make) => {
  const text = async (runtime: ReturnType<typeof openRuntime>, path: string): Promise<string> =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(await runtime.fs.read(path));

  it("creates a file and the directories above it", async () => {
    const computer = make();
    const runtime = openRuntime(computer, write);
    const data = await write.execute({ path: "new/deep/a.txt", content: "héllo\n" }, runtime);
    const path = `${computer.roots[0]}/new/deep/a.txt`;
    expect(data).toEqual({ path, created: true, bytes: 7, message: `Created ${path}.` });
    expect(await text(runtime, "new/deep/a.txt")).toBe("héllo\n");
  });

  it("replaces all of an existing file", async () => {
    const computer = make({ a: "much longer than what follows\r\n" });
    const runtime = openRuntime(computer, write);
    const data = await write.execute({ path: "a", content: "short" }, runtime);
    const path = `${computer.roots[0]}/a`;
    expect(data).toEqual({ path, created: false, bytes: 6, message: `Overwrote ${path}.` });
    expect(await text(runtime, "a")).toBe("short\n");
  });

  it.each([
    ["", ""],
    ["a", "a\n"],
    ["a\n", "a\n"],
    ["a\n\n", "a\n\n"],
    ["a\r\nb\r\n", "a\r\nb\r\n"],
    ["\ufeffa\n", "\ufeffa\n"],
  ])("writes %j as %j", async (content, written) => {
    const runtime = openRuntime(make(), write);
    await write.execute({ path: "a", content }, runtime);
    expect(await text(runtime, "a")).toBe(written);
  });

  it("names the guidance that holds for the place, the nearest last", async () => {
    const computer = make({
      "AGENTS.md": "",
      "CONTEXT.md": "",
      "src/CLAUDE.md": "",
      "src/deep/AGENTS.md": "",
      "src/deep/deeper/AGENTS.md": "",
      "test/AGENTS.md": "",
      "src/NOTES.md": "",
    });
    const root = computer.roots[0];
    const runtime = openRuntime(computer, write);
    const data = await write.execute({ path: "src/deep/a.ts", content: "" }, runtime);
    expect(data.guidance).toEqual([
      `${root}/AGENTS.md`,
      `${root}/CONTEXT.md`,
      `${root}/src/CLAUDE.md`,
      `${root}/src/deep/AGENTS.md`,
    ]);
  });

  it("does not name the file it has just written, nor a directory", async () => {
    const runtime = openRuntime(make({ "CLAUDE.md/x": "" }), write);
    const data = await write.execute({ path: "AGENTS.md", content: "Be kind." }, runtime);
    expect(data).not.toHaveProperty("guidance");
  });

  it("looks for no guidance outside the workspace", async () => {
    const computer = make({ "AGENTS.md": "" });
    const runtime = openRuntime(computer, write);
    const session = { ...runtime.session, roots: [`${computer.roots[0]}/elsewhere`] };
    const data = await write.execute({ path: "a", content: "" }, { ...runtime, session });
    expect(data).not.toHaveProperty("guidance");
  });

  it("takes the innermost of the roots that hold the path", async () => {
    const computer = make({ "AGENTS.md": "", "inner/AGENTS.md": "" });
    const root = computer.roots[0] as string;
    const runtime = openRuntime(computer, write);
    const session = { ...runtime.session, roots: [root, `${root}/inner`, `${root}/in`] };
    const data = await write.execute({ path: "inner/a", content: "" }, { ...runtime, session });
    expect(data.guidance).toEqual([`${root}/inner/AGENTS.md`]);
  });

  it("refuses what lies outside its grant, and a directory", async () => {
    const runtime = openRuntime(make({ "d/a": "" }), write);
    const content = "x";
    await expect(write.execute({ path: "/etc/haft", content }, runtime)).rejects.toMatchObject({
      code: "out-of-scope",
    });
    await expect(write.execute({ path: "d", content }, runtime)).rejects.toMatchObject({
      code: "failed",
    });
  });

  it("writes nothing when it is already aborted", async () => {
    const runtime = openRuntime(make({ a: "old" }), write, { signal: AbortSignal.abort() });
    await expect(write.execute({ path: "a", content: "new" }, runtime)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(await text(runtime, "a")).toBe("old");
  });

  const runtime = () => openRuntime(make({ "AGENTS.md": "", old: "x" }), write);
  describeToolContract(write, [
    {
      name: "a new file",
      arguments: { path: "src/new.ts", content: "export {};" },
      runtime,
      expect: { data: { created: true, bytes: 11 } },
    },
    {
      name: "an old file",
      arguments: { path: "old", content: "" },
      runtime,
      expect: { data: { created: false, bytes: 0 } },
    },
    {
      name: "a path outside",
      arguments: { path: "/etc/haft", content: "" },
      runtime,
      expect: { error: "out-of-scope" },
    },
    { name: "no content", arguments: { path: "a" }, expect: { error: "invalid-arguments" } },
  ]);
});
