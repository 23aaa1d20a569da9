import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { isModelClass } from "../models/model-class.ts";
import { toCoreManifest, toMode } from "../workspace-agents/to-role.ts";
import { discoverManifests } from "./discover-manifests.ts";

const shipped = discoverManifests({ workspace: "/nothing/is/here", environment: {} }).list();

// Tools of the agent itself, which the built-in ones do not include.
const ofAgents = [
  "task",
  "task_output",
  "task_stop",
  "finder",
  "oracle",
  "librarian",
  "kraken",
  "skill",
  "find_thread",
  "read_thread",
  "lsp",
  "plan_exit",
];

describe("the shipped agents", () => {
  it.each(shipped)(
    "$name names only tools that there are, and no single model",
    ({ tools, model }) => {
      const known = new Set([...builtinTools.map(({ id }) => id), ...ofAgents]);
      expect((tools ?? []).filter((name) => !known.has(name))).toEqual([]);
      expect(model === undefined || isModelClass(model)).toBe(true);
    },
  );

  it("name a class of models where the work has one (000:119,134-138)", () => {
    const classes = shipped.flatMap(({ name, model }) => (model ? [[name, model]] : []));
    expect(Object.fromEntries(classes)).toEqual({
      explore: "fast",
      finder: "fast",
      general: "strong",
      kraken: "fast",
      kraken_worker: "fast",
      librarian: "fast",
      oracle: "reasoning",
    });
  });

  it.each(["finder", "oracle", "plan", "explore"])("%s has no tool that changes a file", (name) => {
    const tools = shipped.find((manifest) => manifest.name === name)?.tools ?? [];
    const changing = builtinTools.filter(({ requires }) => requires.fs?.write !== undefined);
    expect(changing.filter(({ id }) => tools.includes(id))).toEqual([]);
    expect(tools).not.toContain("bash");
  });

  it("are tools where the issue of the set says so", () => {
    const tools = shipped.filter(({ isTool }) => isTool).map(({ name }) => name);
    expect(tools).toEqual(["finder", "kraken", "librarian", "oracle"]);
  });

  it("give kraken every permission that its workers need", () => {
    const toolsOf = (name: string): readonly string[] =>
      shipped.find((manifest) => manifest.name === name)?.tools ?? [];
    const boss = toolsOf("kraken");
    expect(toolsOf("kraken_worker").filter((tool) => !boss.includes(tool))).toEqual([]);
  });
});

describe("toMode", () => {
  const [build] = shipped;

  it("has everything where no tools are named", () => {
    expect(build && toMode(build)).toEqual({ allowMcp: true, allowToolbox: true });
  });

  it("has nothing from elsewhere where tools are named, unless the manifest says so", () => {
    const finder = shipped.find(({ name }) => name === "finder");
    expect(finder && toMode(finder, { isSubagent: true })).toEqual({
      includeTools: ["read", "glob", "grep", "lsp", "repo_overview"],
      allowMcp: false,
      allowToolbox: false,
      subagentType: "finder",
    });
    expect(finder && toMode({ ...finder, allowMcp: true }).allowMcp).toBe(true);
  });
});

describe("toCoreManifest", () => {
  it("takes over what a session judges by", () => {
    const plan = shipped.find(({ name }) => name === "plan");
    expect(plan && toCoreManifest(plan)).toEqual({
      name: "plan",
      rules: [{ permission: "fs.write", pattern: "*", action: "deny" }],
    });
  });
});
