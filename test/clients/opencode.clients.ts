import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

const opencode = { client: "opencode", program: "opencode" };
const nameOf = (tool: string): string => `haft_${tool}`;

// It would look for news on the net first.
const offline = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
};

describe("opencode", () => {
  it("connects as installed", async () => {
    const desk = createDesk(storyFiles);
    expect(await desk.haft("mcp", "install", "opencode")).toMatchObject({ exitCode: 0 });
    const { stdout, stderr } = await desk.run(opencode, ["mcp", "list"], offline);
    expect(`${stdout}${stderr}`).toMatch(/haft.*connected/u);
  });

  it("offers our tools to its model, runs them and hands the results back", async () => {
    const desk = createDesk(storyFiles);
    const model = await startScriptedModel(storyCalls(nameOf));
    await desk.haft("mcp", "install", "opencode");
    const modalities = { input: ["text", "image"], output: ["text"] };
    const settings = {
      provider: {
        scripted: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${model.url}/v1`, apiKey: "none" },
          models: { scripted: { attachment: true, modalities } },
        },
      },
      model: "scripted/scripted",
      small_model: "scripted/scripted",
    };
    // Beside what was installed for the user: opencode puts them together.
    writeFileSync(join(desk.workspace, "opencode.json"), JSON.stringify(settings));
    const ran = await desk.run(opencode, ["run", "--format", "json", "go"], offline);
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    await expectOffered(model, desk, nameOf);
    expectStory(model, desk);
    expectImage(model);
  });
});
