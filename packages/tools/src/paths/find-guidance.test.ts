import { describe, expect, it } from "vitest";
import { computers, type Files, openRuntime } from "../test-support/computers.ts";
import { findGuidance } from "./find-guidance.ts";

const requires = { fs: { read: ["{workspace}/**"] } };

describe.each(computers)("guidance for paths %s", (_, make) => {
  const start = (files: Files) => {
    const computer = make(files);
    const root = computer.roots[0] as string;
    const runtime = openRuntime(computer, { requires });
    const find = async (paths: string[], looked?: Set<string>): Promise<string[]> => {
      const full = paths.map((path) => `${root}/${path}`);
      const found = await findGuidance(full, runtime, looked);
      return found.map((path) => path.slice(root.length + 1));
    };
    return { find, runtime, root };
  };

  it("is named path by path, without repeats, the nearest last", async () => {
    const { find } = start({
      "AGENTS.md": "",
      "b/CLAUDE.md": "",
      "b/c/AGENTS.md": "",
      "a/CONTEXT.md": "",
      "d/AGENTS.md": "",
    });
    expect(await find(["b/c/x", "a/x", "b/y", "z"])).toEqual([
      "AGENTS.md",
      "b/CLAUDE.md",
      "b/c/AGENTS.md",
      "a/CONTEXT.md",
    ]);
  });

  it("is never one of the paths", async () => {
    const { find } = start({ "AGENTS.md": "", "a/AGENTS.md": "", "CLAUDE.md": "" });
    expect(await find(["a/x", "AGENTS.md"])).toEqual(["CLAUDE.md", "a/AGENTS.md"]);
  });

  it("is not looked for again, except what was one of the paths", async () => {
    const { find } = start({ "AGENTS.md": "", "CLAUDE.md": "", "a/AGENTS.md": "" });
    const looked = new Set<string>();
    expect(await find(["AGENTS.md"], looked)).toEqual(["CLAUDE.md"]);
    expect(await find(["a/x"], looked)).toEqual(["AGENTS.md", "a/AGENTS.md"]);
    expect(await find(["a/x", "y"], looked)).toEqual([]);
  });

  it("is none where no file can be looked at, for whatever reason", async () => {
    const { runtime, root } = start({ "AGENTS.md": "" });
    const stat = async (): Promise<never> => {
      throw new Error("broken");
    };
    const fs = { ...runtime.fs, stat };
    expect(await findGuidance([`${root}/x`], { ...runtime, fs })).toEqual([]);
  });

  it("is none for no paths, and outside the workspace", async () => {
    const { find, runtime, root } = start({ "AGENTS.md": "" });
    expect(await find([])).toEqual([]);
    const session = { ...runtime.session, roots: [`${root}/elsewhere`] };
    expect(await findGuidance([`${root}/x`], { ...runtime, session })).toEqual([]);
  });
});
