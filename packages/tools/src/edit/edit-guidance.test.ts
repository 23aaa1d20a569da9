import { describe, expect, it } from "vitest";
import { computers, openRuntime } from "../test-support/computers.ts";
import { edit } from "./edit.ts";

describe.each(computers)("edit %s", (_, make) => {
  it("names the guidance that holds for the place, each file once a session", async () => {
    const computer = make({ "AGENTS.md": "", "a/CLAUDE.md": "", "a/x": "one", "a/b/y": "one" });
    const root = computer.roots[0];
    const runtime = openRuntime(computer, edit);
    const change = (path: string, from: string, to: string) =>
      edit.execute({ path, old_string: from, new_string: to }, runtime);
    expect((await change("a/x", "one", "two")).guidance).toEqual([
      `${root}/AGENTS.md`,
      `${root}/a/CLAUDE.md`,
    ]);
    expect(await change("a/x", "two", "three")).not.toHaveProperty("guidance");
    expect(await change("a/b/y", "one", "two")).not.toHaveProperty("guidance");
  });

  it("does not fail because of guidance that can't be looked for", async () => {
    const runtime = openRuntime(make({ "AGENTS.md": "", a: "one" }), edit);
    const stat = async (): Promise<never> => {
      throw new Error("broken");
    };
    const broken = { ...runtime, fs: { ...runtime.fs, stat } };
    const data = await edit.execute({ path: "a", old_string: "one", new_string: "two" }, broken);
    expect(data).not.toHaveProperty("guidance");
    expect(new TextDecoder().decode(await runtime.fs.read("a"))).toBe("two");
  });

  it("leaves the guidance to the edit that succeeds", async () => {
    const computer = make({ "AGENTS.md": "", a: "one" });
    const runtime = openRuntime(computer, edit);
    const change = (from: string) =>
      edit.execute({ path: "a", old_string: from, new_string: "two" }, runtime);
    await expect(change("zzz")).rejects.toMatchObject({
      code: "conflict",
    });
    const data = await change("one");
    expect(data.guidance).toEqual([`${computer.roots[0]}/AGENTS.md`]);
  });
});
