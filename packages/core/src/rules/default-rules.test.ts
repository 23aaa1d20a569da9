import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { readPlainCommand } from "../test-support/plain-commands.ts";
import { defaultRules } from "./default-rules.ts";
import { compileRules } from "./ruleset.ts";
import type { Subject } from "./subject.ts";

function judge(named: string | MockTool, subject: Subject, sandboxed = false): string {
  const rules = defaultRules.map((rule) => ({ rule, scope: "default" as const }));
  const base = { roots: ["/w"], home: "/home/me", nativeId: () => undefined };
  const ruleset = compileRules(rules, {
    ...base,
    isSandboxed: () => sandboxed,
    identify: (path: string) => path,
  });
  const tool = typeof named === "string" ? new MockTool({ name: named, source: "builtin" }) : named;
  return ruleset.judge(tool, [subject]).action;
}

function file(key: string, mode: Subject["mode"] = "write"): Subject {
  return { type: "file", key, mode, tree: false };
}

function command(key: string): Subject {
  return { type: "command", key, mode: "write", tree: false, reading: readPlainCommand(key, "/w") };
}

describe("defaultRules", () => {
  it.each(["read", "glob", "grep", "repo_overview"])("allow %s anywhere", (id) => {
    expect(judge(id, file("/etc/motd", "read"))).toBe("allow");
  });

  it("allow no tool of a module that took the name of a built-in tool", () => {
    const read = new MockTool({ name: "read", source: "module" });
    expect(judge(read, file("/w/a.ts", "read"))).toBe("ask");
    expect(judge(read, file("/w/.haft/plans/a.md"))).toBe("allow");
  });

  it.each(["write", "edit", "delete_file", "move_file"])("leave %s to be asked", (id) => {
    expect(judge(id, file("/w/src/a.ts"))).toBe("ask");
  });

  it("allow writing the tool's own folder, but not its rules, settings and programs", () => {
    expect(judge("write", file("/w/.haft/plans/a.md"))).toBe("allow");
    expect(judge("write", file("/w/.haft/rules"))).toBe("ask");
    expect(judge("edit", file("/w/.haft/settings.json"))).toBe("ask");
    for (const name of ["agents/a.md", "toolbox/a"]) {
      expect(judge("write", file(`/w/.haft/${name}`)), name).toBe("ask");
    }
  });

  it.each(["npm test", "git commit -m x", "python3 run.py", "ls -la", "cargo build"])(
    "allow %s in the sandbox only",
    (line) => {
      expect(judge("bash", command(line), true)).toBe("allow");
      expect(judge("bash", command(line))).toBe("ask");
    },
  );

  it.each(["rm -rf src", "curl example.com", "sudo ls", "ssh host"])(
    "leave %s to be asked, also in the sandbox",
    (line) => {
      expect(judge("bash", command(line), true)).toBe("ask");
    },
  );

  it("allow what runs the project's own programs in the sandbox only", () => {
    const calls: readonly (readonly [string, Subject])[] = [
      ["format_file", file("/w/src/a.ts")],
      ["lsp", file("/w/src/a.ts", "read")],
      ["check", { type: "name", key: "test", mode: "write", tree: false }],
      ["bash", command("prettier --write src/a.ts")],
    ];
    for (const [id, subject] of calls) {
      expect(judge(id, subject, true), id).toBe("allow");
      expect(judge(id, subject), id).toBe("ask");
    }
  });

  it("allow no command without a sandbox", () => {
    const always = defaultRules.filter(({ when }) => when === undefined);
    expect(always.filter(({ permission }) => permission === "bash")).toEqual([]);
    expect(always.filter(({ permission }) => /^(shell\.|\*)/u.test(permission))).toEqual([]);
  });

  it("deny nothing: that is for people to do", () => {
    expect(defaultRules.map(({ action }) => action)).not.toContain("deny");
  });
});
