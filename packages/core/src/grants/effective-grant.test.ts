import { compileRequirements, type RequirementSet } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { compileEffectiveGrant, type GrantBounds, narrowGrant } from "./effective-grant.ts";

const variables = { workspace: ["/w"], "ad-hoc": [], "user-data": [] };
const unbounded: GrantBounds = {
  manifest: undefined,
  roots: [],
  ceiling: undefined,
  parent: undefined,
  variables,
};

function tool(requires: RequirementSet): MockTool {
  return new MockTool({ name: "tool", requires });
}

describe("compileEffectiveGrant", () => {
  it("unites what the manifest and every tool declare", () => {
    const tools = [
      tool({ fs: { read: ["src/**"] } }),
      tool({ fs: { write: ["out/**"] }, net: { hosts: ["example.com"] } }),
      tool({ shell: [{ cmd: "git" }], capabilities: ["clipboard"] }),
    ];
    const manifest = { fs: { read: ["docs/**"] } };
    const grant = compileEffectiveGrant(tools, { ...unbounded, manifest });
    expect(grant.mayRead("/w/src/a")).toBe(true);
    expect(grant.mayRead("/w/docs/a")).toBe(true);
    expect(grant.mayRead("/w/out/a")).toBe(false);
    expect(grant.mayWrite("/w/out/a")).toBe(true);
    expect(grant.mayWrite("/w/src/a")).toBe(false);
    expect(grant.mayReach("example.com")).toBe(true);
    expect(grant.mayRun(["git", "log"])).toBe(true);
    expect(grant.has("clipboard")).toBe(true);
  });

  it("counts the manifest's roots to the workspace, but not in the ceiling (003:111)", () => {
    const tools = [tool({ fs: { read: ["{workspace}/**"] } })];
    const bounds = { ...unbounded, roots: ["/library"] };
    expect(compileEffectiveGrant(tools, bounds).mayRead("/library/a")).toBe(true);
    const ceiling = { fs: { read: ["{workspace}/**"] } };
    const limited = compileEffectiveGrant(tools, { ...bounds, ceiling });
    expect(limited.mayRead("/library/a")).toBe(false);
    expect(limited.mayRead("/w/a")).toBe(true);
  });

  it("lets tools that run programs only read in the manifest's roots", () => {
    const fs = { read: ["{workspace}/**"], write: ["{workspace}/**"] };
    const bounds = { ...unbounded, roots: ["/library", "/w/sub"] };
    const files = narrowGrant(tool({ fs }), bounds);
    expect([files.mayRead("/library/a"), files.mayWrite("/library/a")]).toEqual([true, true]);
    const programs = narrowGrant(tool({ fs, shell: [{ cmd: "*" }] }), bounds);
    expect([programs.mayRead("/library/a"), programs.mayWrite("/library/a")]).toEqual([
      true,
      false,
    ]);
    expect([programs.mayWrite("/w/a"), programs.mayWrite("/w/sub/a")]).toEqual([true, true]);
    expect(programs.places.write).not.toContain("/library");
  });

  it("grants nothing where nothing is declared", () => {
    const grant = compileEffectiveGrant([], unbounded);
    expect(grant.mayRead("/w/a")).toBe(false);
    expect(grant.mayRun(["ls"])).toBe(false);
  });

  it("stays below the host's ceiling, whatever is declared", () => {
    const ceiling = { fs: { read: ["src/**"] } };
    const greedy = [tool({ fs: { read: ["/**"], write: ["/**"] } })];
    const grant = compileEffectiveGrant(greedy, { ...unbounded, ceiling });
    expect(grant.mayRead("/w/src/a")).toBe(true);
    expect(grant.mayRead("/etc/passwd")).toBe(false);
    expect(grant.mayWrite("/w/src/a")).toBe(false);
  });

  it("stays below what the parent may pass on", () => {
    const parent = compileRequirements({ fs: { read: ["src/**"] } }, variables);
    const grant = compileEffectiveGrant([tool({ fs: { read: ["**"] } })], { ...unbounded, parent });
    expect(grant.mayRead("/w/src/a")).toBe(true);
    expect(grant.mayRead("/w/a")).toBe(false);
  });

  it("needs both, the ceiling and the parent, to agree", () => {
    const parent = compileRequirements({ fs: { read: ["a/**"] } }, variables);
    const ceiling = { fs: { read: ["b/**"] } };
    const bounds = { ...unbounded, parent, ceiling };
    const grant = compileEffectiveGrant([tool({ fs: { read: ["**"] } })], bounds);
    expect(grant.mayRead("/w/a/x")).toBe(false);
    expect(grant.mayRead("/w/b/x")).toBe(false);
  });

  it("does not treat an empty ceiling as no ceiling", () => {
    const everything = [tool({ fs: { read: ["**"] } })];
    expect(compileEffectiveGrant(everything, { ...unbounded, ceiling: {} }).mayRead("/w/a")).toBe(
      false,
    );
  });

  it("throws for an undefined variable in the manifest", () => {
    const manifest = { fs: { read: ["{typo}/**"] } };
    expect(() => compileEffectiveGrant([], { ...unbounded, manifest })).toThrow(
      "undefined variable {typo}",
    );
  });

  it("leaves out a tool whose declaration is faulty, and no other", () => {
    const faulty = tool({ fs: { read: ["{typo}/**"], write: ["**"] } });
    const grant = compileEffectiveGrant([faulty, tool({ fs: { read: ["a/**"] } })], unbounded);
    expect(grant.mayRead("/w/a/x")).toBe(true);
    expect(grant.mayWrite("/w/a/x")).toBe(false);
  });
});

describe("narrowGrant", () => {
  const everything: RequirementSet = {
    fs: { read: ["**"], write: ["**"] },
    net: { hosts: ["*"] },
    shell: [{ cmd: "git" }],
    capabilities: ["clipboard", "camera"],
  };
  const narrow = (requires: RequirementSet, changes: Partial<GrantBounds> = {}) =>
    narrowGrant({ requires }, { ...unbounded, manifest: everything, ...changes });

  it("leaves a tool that declares nothing with nothing", () => {
    const grant = narrow({});
    expect(grant.mayRead("/w/a")).toBe(false);
    expect(grant.mayWrite("/w/a")).toBe(false);
    expect(grant.mayReach("example.com")).toBe(false);
    expect(grant.mayRun(["git"])).toBe(false);
    expect(grant.has("clipboard")).toBe(false);
  });

  it("gives of the manifest only the kinds of access that the tool declares", () => {
    const grant = narrow({ fs: { read: [] }, capabilities: ["camera"] });
    expect(grant.mayRead("/w/a")).toBe(true);
    expect(grant.mayWrite("/w/a")).toBe(false);
    expect(grant.has("camera")).toBe(true);
    expect(grant.has("clipboard")).toBe(false);
  });

  it("gives a tool nothing that only another tool declares", () => {
    const grant = narrow({ net: { hosts: ["example.com"] } }, { manifest: undefined });
    expect(grant.mayReach("example.com")).toBe(true);
    expect(grant.mayReach("example.org")).toBe(false);
    expect(grant.places.hosts).toEqual(["example.com"]);
  });

  it("never gives what the ceiling or the parent does not have", () => {
    for (const limit of [{ ceiling: {} }, { parent: compileRequirements({}, variables) }]) {
      const grant = narrow(everything, limit);
      expect(grant.mayRead("/w/a")).toBe(false);
      expect(grant.has("camera")).toBe(false);
    }
  });
});
