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

const claude = { client: "claude", program: "claude" };
const nameOf = (tool: string): string => `mcp__haft__${tool}`;

describe("Claude Code", () => {
  it("connects as installed", async () => {
    const desk = createDesk(storyFiles);
    expect(await desk.haft("mcp", "install", "claude")).toMatchObject({ exitCode: 0 });
    const { stdout, stderr } = await desk.run(claude, ["mcp", "list"]);
    expect(`${stdout}${stderr}`).toMatch(/^haft: .* Connected/mu);
  });

  it("offers our tools to its model, runs them and hands the results back", async () => {
    const desk = createDesk(storyFiles);
    const model = await startScriptedModel(storyCalls(nameOf));
    await desk.haft("mcp", "install", "claude", "--dialect", "portable");
    const ran = await desk.run(
      claude,
      [
        ...["-p", "go", "--model", "scripted", "--output-format", "json"],
        // Its user's part: that our tools may be used.
        ...["--allowedTools", "mcp__haft"],
      ],
      {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        // It goes on without a server that takes longer than it likes, as on a busy machine.
        CLAUDE_CODE_MCP_STARTUP_WAIT_MS: "60000",
        // Shows all tools at once instead of having the model look for them.
        ENABLE_TOOL_SEARCH: "false",
      },
    );
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    await expectOffered(model, desk, nameOf);
    expectStory(model, desk);
    expectImage(model);
  });
});
