import type { Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { amp, createRegistry } from "@haft/core";
import { portable } from "@haft/core/internal";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import type { CommonOptions } from "../options/common-options.ts";
import { createToolLimit } from "./limit-tools.ts";

function limit(options: Partial<CommonOptions>, more: readonly Tool[] = []) {
  const tools = [...builtinTools, ...more];
  const given = { dialect: portable, readOnly: false, tools: undefined, sandbox: "auto" } as const;
  const keep = createToolLimit({ ...given, ...options } as CommonOptions, createRegistry(tools));
  return tools.map(keep).filter((tool) => tool !== undefined);
}

const ids = (tools: readonly Tool[]): string[] => tools.map(({ id }) => id);

describe("createToolLimit", () => {
  it("leaves every tool by default", () => {
    expect(limit({})).toEqual(builtinTools);
  });

  it("leaves exactly the tools that are named, by any name that the dialect knows", () => {
    expect(ids(limit({ tools: ["bash", "read"] }))).toEqual(["read", "bash"]);
    expect(ids(limit({ tools: ["Bash", "edit_file"], dialect: amp }))).toEqual(["edit", "bash"]);
  });

  it("suggests similar names for an unknown tool", () => {
    expect(() => limit({ tools: ["grpe"] })).toThrow(
      '--tools: there is no tool "grpe". Did you mean Grep or grep?',
    );
  });

  it("leaves no tool that changes files where only reading is wanted", () => {
    const kept = limit({ readOnly: true });
    expect(ids(kept)).toEqual(
      expect.arrayContaining(["read", "glob", "grep", "bash", "web_fetch"]),
    );
    expect(kept.filter(({ requires }) => requires.fs?.write !== undefined)).toEqual([]);
    for (const id of ["write", "edit", "apply_patch", "delete_file", "undo_edit", "repo_clone"]) {
      expect(ids(kept)).not.toContain(id);
    }
  });

  it("leaves nothing that runs programs where no sandbox keeps them from writing", () => {
    const kept = ids(limit({ readOnly: true, sandbox: "off" }));
    expect(kept).toContain("read");
    for (const id of ["bash", "check", "job_start"]) expect(kept).not.toContain(id);
  });

  it("trusts a module's read-only claim only for tools of a read-only kind", () => {
    const modules = (["read", "other"] as const).map(
      (kind) => new MockTool({ name: `module_${kind}`, kind }),
    );
    const kept = ids(limit({ readOnly: true }, modules));
    expect(kept).toContain("module_read");
    expect(kept).not.toContain("module_other");
  });
});
