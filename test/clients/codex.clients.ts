import { describe, expect, it } from "vitest";
import { startScriptedModel } from "./model/scripted-model.ts";
import { createDesk } from "./support/desk.ts";
import {
  expectImage,
  expectOffered,
  expectStory,
  storyCalls,
  storyFiles,
} from "./support/story.ts";

const codex = { client: "codex", program: "codex" };
const nameOf = (tool: string): string => `mcp__haft/${tool}`;

describe("Codex", () => {
  it("knows us as installed", async () => {
    const desk = createDesk(storyFiles);
    expect(await desk.haft("mcp", "install", "codex")).toMatchObject({ exitCode: 0 });
    const { stdout } = await desk.run(codex, ["mcp", "get", "haft", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      name: "haft",
      enabled: true,
      transport: { type: "stdio", args: expect.arrayContaining(["mcp", "--yes"]) },
    });
  });

  it("offers our tools to its model, runs them and hands the results back", async () => {
    const desk = createDesk(storyFiles);
    const model = await startScriptedModel(storyCalls(nameOf));
    await desk.haft("mcp", "install", "codex", "--dialect", "portable");
    const provider = `{name="scripted",base_url="${model.url}/v1",wire_api="responses",env_key="KEY"}`;
    const settings = [
      'model_provider="scripted"',
      'model="scripted"',
      `model_providers.scripted=${provider}`,
      // On a busy machine nothing starts quickly.
      "mcp_servers.haft.startup_timeout_sec=60",
      // Its user's part: that our tools may be used.
      'mcp_servers.haft.default_tools_approval_mode="approve"',
    ];
    const ran = await desk.run(
      codex,
      [
        ...["exec", "--skip-git-repo-check", "--json"],
        ...settings.flatMap((setting) => ["-c", setting]),
        "go",
      ],
      { KEY: "none" },
    );
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    await expectOffered(model, desk, nameOf);
    expectStory(model, desk);
    expectImage(model);
  });
});
