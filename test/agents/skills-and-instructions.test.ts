import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "./support/model-server.ts";
import { eventsOf, openPlace } from "./support/open-place.ts";

const skill = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\n${description === "" ? "" : `description: ${description}\n`}---\n${body}\n`;

describe("skills", () => {
  it("are advertised by their descriptions and loaded as a whole", async () => {
    const { agent, model } = await openPlace(
      [call("skill", { name: "release" }), say("I know how.")],
      {
        ".agents/skills/release/SKILL.md": skill("release", "How we release.", "Count to three."),
        ".agents/skills/release/steps.txt": "one two three\n",
      },
    );
    const { code, events, stderr } = await agent(["release it"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const [first, second] = model.requests;
    expect(first?.toolNames).toContain("skill");
    expect(first?.system).toContain("release");
    expect(first?.system).toContain("How we release.");
    expect(JSON.stringify(first?.body)).not.toContain("Count to three.");
    expect(second?.lastText).toContain('<skill_content name="release">');
    expect(second?.lastText).toContain("Count to three.");
    expect(second?.lastText).toContain("steps.txt");
    expect(eventsOf(events, "tool-result")).toMatchObject([{ result: { type: "output" } }]);
  });

  it("are found above the workspace, at the user's, and in the other folder", async () => {
    const { agent, base, home, model } = await openPlace([say("Seen.")], {
      ".claude/skills/here/SKILL.md": skill("here", "Is here.", "Here."),
    });
    put(join(base, "project/.git/HEAD"), "ref: refs/heads/main\n");
    put(join(base, "project/.agents/skills/above/SKILL.md"), skill("above", "Is above.", "Above."));
    put(join(home, ".agents/skills/mine/SKILL.md"), skill("mine", "Is mine.", "Mine."));
    expect((await agent(["hello"])).code).toBe(0);
    for (const words of ["Is here.", "Is above.", "Is mine."]) {
      expect(model.requests[0]?.system).toContain(words);
    }
  });

  it("without a description are left out and named; the first of a name wins", async () => {
    const { haft, model, modelOptions } = await openPlace(
      [call("skill", { name: "silent" }), call("skill", { name: "twice" }), say("So.")],
      {
        ".agents/skills/silent/SKILL.md": skill("silent", "", "It has no description."),
        ".agents/skills/twice/SKILL.md": skill("twice", "The first.", "First body."),
        ".claude/skills/twice/SKILL.md": skill("twice", "The second.", "Second body."),
      },
    );
    const { code, stderr, stdout } = await haft(["agent", ...modelOptions(), "hello"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "So.\n" });
    expect(stderr).toMatch(/silent.*description/u);
    expect(stderr).toMatch(/twice/u);
    expect(model.requests[0]?.system).toContain("The first.");
    expect(model.requests[0]?.system).not.toContain("The second.");
    expect(model.requests[0]?.system).not.toContain("silent");
    expect(model.requests[1]?.lastText).not.toContain("It has no description.");
    expect(model.requests[2]?.lastText).toContain("First body.");
    const listed = await haft(["skills", "list"]);
    expect(listed.stdout).toContain("twice");
    expect((await haft(["skills", "show", "twice"])).stdout).toContain("First body.");
    expect((await haft(["skills", "validate"])).code).not.toBe(0);
  });
});

describe("project instructions", () => {
  it("are collected upward, the nearest last, and bounded", async () => {
    const { agent, base, model } = await openPlace([say("Read.")], {
      "AGENTS.md": "Instructions of the workspace.\n",
      "CLAUDE.md": `Also of the workspace. ${"Long. ".repeat(50_000)}`,
    });
    put(join(base, "project/.git/HEAD"), "ref: refs/heads/main\n");
    put(join(base, "project/AGENTS.md"), "Instructions of the project.\n");
    expect((await agent(["hello"])).code).toBe(0);
    const system = model.requests[0]?.system ?? "";
    const [project, workspace] = ["of the project.", "Instructions of the workspace."].map(
      (words) => system.indexOf(words),
    ) as [number, number];
    expect(project).toBeGreaterThan(0);
    expect(workspace).toBeGreaterThan(project);
    expect(system.length).toBeLessThan(100_000);
  });

  it("of a folder are named by the result of a write into it", async () => {
    const { agent, model } = await openPlace(
      [call("write", { path: "deep/er/new.txt", content: "x" }), say("Written.")],
      { "deep/AGENTS.md": "Rules of the deep.\n" },
    );
    expect((await agent(["--yes", "write"])).code).toBe(0);
    expect(model.requests[0]?.system).not.toContain("Rules of the deep.");
    expect(model.requests[1]?.lastText).toContain("deep/AGENTS.md");
  });
});

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
