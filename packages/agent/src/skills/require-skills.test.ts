import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import { createRegistry, createSession } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { describe, expect, it } from "vitest";
import { discoverSkills } from "./discover-skills.ts";
import { requireSkills } from "./require-skills.ts";
import { makeTree, skillText } from "./test-support/make-tree.ts";

describe("requireSkills", () => {
  it("lets the files of skills outside the workspace be read, and nothing beside them", async () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/near/SKILL.md": skillText("near"),
      "home/.agents/skills/a{b}*/SKILL.md": skillText("own"),
      "home/.agents/skills/a{b}*/more.md": "more of own",
      "home/.agents/secret.md": "secret",
      "elsewhere/SKILL.md": skillText("linked"),
      "elsewhere/more.md": "more of linked",
      "planted/SKILL.md": skillText("planted"),
      "planted/more.md": "more of planted",
    });
    symlinkSync(join(root, "elsewhere"), join(root, "home/.agents/skills/linked"));
    symlinkSync(join(root, "planted"), join(root, "repo/.agents/skills/planted"));
    const workspace = join(root, "repo");
    const skills = discoverSkills({ workspace, home: join(root, "home"), environment: {} });
    const requires = requireSkills(skills, workspace);
    expect(requires.fs?.read).toHaveLength(3);
    const computer = createDiskComputer({ workspace, stateDirectory: join(root, "state") });
    const registry = createRegistry(builtinTools);
    const session = createSession({ registry, computer, manifest: { requires } });
    const read = (path: string): Promise<unknown> =>
      session.call({ name: "read", arguments: { path: join(root, path) } });
    expect(await read("home/.agents/skills/a{b}*/more.md")).toMatchObject({ type: "output" });
    expect(await read("home/.agents/skills/linked/more.md")).toMatchObject({ type: "output" });
    const refused = { metadata: { error_code: "out-of-scope" } };
    expect(await read("home/.agents/secret.md")).toMatchObject(refused);
    expect(await read("repo/.agents/skills/planted/more.md")).toMatchObject(refused);
    expect(await read("planted/more.md")).toMatchObject(refused);
    await session.close();
  });

  it("asks for nothing where all are in the workspace", () => {
    const root = makeTree({
      "repo/.git/HEAD": "",
      "repo/.agents/skills/a/SKILL.md": skillText("a"),
    });
    const workspace = join(root, "repo");
    const skills = discoverSkills({ workspace, home: root, environment: {} });
    expect(requireSkills(skills, workspace)).toEqual({ fs: { read: [] } });
  });
});
