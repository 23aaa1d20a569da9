import { createMemoryComputer } from "@haft/computer/memory";
import type { RequirementSet } from "@haft/contract";
import { createRegistry, createSession } from "@haft/core";
import { describe, expect, it } from "vitest";
import { allTools } from "./dialects/all-tools.ts";

const tools = new Map(allTools.map((tool) => [tool.id, tool]));

// 003:23-35 and 194-201: what each tool of the locked set declares, and its ACP kind.
const locked: readonly [id: string, capabilities: readonly string[], kind: string][] = [
  ["read", ["fs.read"], "read"],
  // It looks for instruction files that apply to the path.
  ["write", ["fs.read", "fs.write"], "edit"],
  ["edit", ["fs.read", "fs.write"], "edit"],
  ["glob", ["fs.read"], "search"],
  ["grep", ["fs.read"], "search"],
  // A command reads and writes files of the workspace, and reaches hosts that are allowed.
  ["bash", ["fs.read", "fs.write", "net.fetch", "shell.run"], "execute"],
  ["todo", [], "other"],
  ["task", [], "other"],
  ["question", [], "other"],
  // Without a provider there is no host to reach.
  ["web_search", ["net.fetch"], "fetch"],
  ["web_fetch", ["net.fetch"], "fetch"],
  ["skill", [], "think"],
  ["tool_search", [], "search"],
];

function capabilitiesOf({ fs, net, shell }: RequirementSet): string[] {
  return [
    ...(fs?.read ? ["fs.read"] : []),
    ...(fs?.write ? ["fs.write"] : []),
    ...(net ? ["net.fetch"] : []),
    ...(shell ? ["shell.run"] : []),
  ];
}

describe("the locked tools", () => {
  it.each(locked)("%s declares its capabilities and its ACP kind", (id, capabilities, kind) => {
    const tool = tools.get(id);
    expect(tool).toMatchObject({ kind, source: "builtin" });
    expect(tool && capabilitiesOf(tool.requires)).toEqual(capabilities);
  });

  it("come with the extensions that code agents have", () => {
    const extensions = ["repo_clone", "repo_overview", "apply_patch", "lsp", "plan_exit"];
    expect(extensions.filter((id) => !tools.has(id))).toEqual([]);
  });

  it("have no prefix, unlike tools from MCP servers and toolboxes", () => {
    expect(allTools.filter(({ id }) => /^(?:mcp|tb)__/u.test(id))).toEqual([]);
  });
});

describe("the tools of Amp", () => {
  // 000:332-336
  it.each(["bash", "check", "task", "finder", "oracle", "librarian", "kraken"])(
    "%s has no time limit",
    (id) => {
      expect(tools.get(id)?.timeoutMs).toBe("none");
    },
  );

  // 000:210-212
  it.each([
    ["finder", { task: "Find it." }],
    ["find_thread", { query: "door" }],
    ["read_thread", { thread: "t" }],
  ])("%s needs no approval", async (name, args) => {
    const computer = createMemoryComputer();
    const session = createSession({ registry: createRegistry(allTools), computer });
    expect(await session.judge({ name, arguments: args })).toMatchObject({ action: "allow" });
  });
});
