import { createMemoryComputer } from "@haft/computer/memory";
import type { Runtime } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { openRuntime } from "../test-support/computers.ts";
import { findNewGuidance } from "./find-new-guidance.ts";

const requires = { fs: { read: ["{workspace}/**"] } };

describe("guidance that is new to a session", () => {
  const start = () => {
    const files = { "AGENTS.md": "", "a/CLAUDE.md": "", "a/b/AGENTS.md": "" };
    const computer = createMemoryComputer({ files });
    const root = computer.roots[0] as string;
    const open = (): { runtime: Runtime; looks: string[] } => {
      const plain = openRuntime(computer, { requires });
      const looks: string[] = [];
      const stat: Runtime["fs"]["stat"] = (path) => {
        looks.push(path);
        return plain.fs.stat(path);
      };
      return { runtime: { ...plain, fs: { ...plain.fs, stat } }, looks };
    };
    return { open, root };
  };

  it("is told once, and then not even looked for", async () => {
    const { open, root } = start();
    const { runtime, looks } = open();
    expect(await findNewGuidance([`${root}/a/x`], runtime)).toEqual([
      `${root}/AGENTS.md`,
      `${root}/a/CLAUDE.md`,
    ]);
    expect(looks).toHaveLength(6);
    expect(await findNewGuidance([`${root}/a/y`], runtime)).toEqual([]);
    expect(looks).toHaveLength(6);
    expect(await findNewGuidance([`${root}/a/b/x`], runtime)).toEqual([`${root}/a/b/AGENTS.md`]);
    expect(looks).toHaveLength(9);
  });

  it("is told by one of the calls that run side by side", async () => {
    const { open, root } = start();
    const { runtime } = open();
    const found = await Promise.all(
      ["x", "y"].map((name) => findNewGuidance([`${root}/${name}`], runtime)),
    );
    expect(found).toEqual([[`${root}/AGENTS.md`], []]);
  });

  it("is told to every session", async () => {
    const { open, root } = start();
    for (const { runtime } of [open(), open()]) {
      expect(await findNewGuidance([`${root}/x`], runtime)).toEqual([`${root}/AGENTS.md`]);
    }
  });

  it("is left to the next call by one that is over", async () => {
    const { open, root } = start();
    const { runtime } = open();
    const over = { ...runtime, signal: AbortSignal.abort() };
    expect(await findNewGuidance([`${root}/x`], over)).toEqual([]);
    expect(await findNewGuidance([`${root}/x`], runtime)).toEqual([`${root}/AGENTS.md`]);
  });
});
