import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTree } from "../skills/test-support/make-tree.ts";
import { composeInstructions } from "./compose-instructions.ts";
import { describeEnvironment } from "./describe-environment.ts";

describe("describeEnvironment", () => {
  const date = new Date(2026, 0, 9, 23, 59);

  it("says where the agent works", () => {
    const place = { workspace: "/project", platform: "linux", date, isRepository: true };
    expect(describeEnvironment(place)).toBe(
      "# Environment\n\nWorkspace: /project (in a git repository)\nPlatform: linux\nDate: 2026-01-09",
    );
  });

  it("names further directories and what may be done there", () => {
    const place = { workspace: "/project", platform: "linux", date, isRepository: true };
    const roots = [
      { path: "/lib", isReadOnly: true },
      { path: "/out", isReadOnly: false },
    ];
    expect(describeEnvironment({ ...place, roots })).toContain(
      "\nAlso: /lib (read-only)\nAlso: /out\nPlatform",
    );
  });

  it("looks for the repository if it is not given", () => {
    const root = makeTree({ "a/.git": "gitdir: elsewhere", "a/b/c": "" });
    const workspace = join(root, "a/b");
    expect(describeEnvironment({ workspace, platform: "linux", date })).toContain(
      "(in a git repository)",
    );
  });
});

describe("composeInstructions", () => {
  it("joins the parts that exist", () => {
    expect(composeInstructions({ prompt: "You build.\n", environment: "Here." })).toBe(
      "You build.\n\nHere.",
    );
    const all = composeInstructions({
      prompt: "You build.",
      environment: "Here.",
      instructions: "Be kind.",
      skills: "# Skills",
    });
    expect(all).toMatch(
      /^You build\.\n\n# Skills\n\n# Project instructions\n\n.+\n\nBe kind\.\n\nHere\.$/u,
    );
  });

  it("leaves out headings of missing parts", () => {
    const text = composeInstructions({
      prompt: "",
      environment: "",
      instructions: " ",
      skills: "",
    });
    expect(text).toBe("");
  });
});
