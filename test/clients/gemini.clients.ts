import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startScriptedModel } from "./model/scripted-model.ts";
import { createDesk, type Desk } from "./support/desk.ts";
import {
  expectImage,
  expectOffered,
  expectStory,
  storyCalls,
  storyFiles,
} from "./support/story.ts";

const gemini = { client: "gemini", program: "gemini" };
const nameOf = (tool: string): string => `mcp_haft_${tool}`;
// It starts servers in folders only that its user trusts.
const trusting = { GEMINI_CLI_TRUST_WORKSPACE: "true" };

describe("Gemini CLI", () => {
  it("connects as installed", async () => {
    const desk = await createInstalled();
    const { stdout, stderr } = await desk.run(gemini, ["mcp", "list"], trusting);
    expect(`${stdout}${stderr}`).toMatch(/haft: .*Connected/u);
  });

  it("offers our tools to its model, runs them and hands the results back", async () => {
    const desk = await createInstalled();
    const model = await startScriptedModel(storyCalls(nameOf));
    const ran = await desk.run(
      gemini,
      ["-p", "go", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-o", "json"],
      { ...trusting, GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model.url },
    );
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 });
    await expectOffered(model, desk, nameOf);
    expectStory(model, desk);
    expectImage(model);
  });
});

// With the settings of somebody who has used it before.
async function createInstalled(): Promise<Desk> {
  const desk = createDesk(storyFiles);
  const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
  mkdirSync(join(desk.home, ".gemini"));
  writeFileSync(
    join(desk.home, ".gemini", "settings.json"),
    JSON.stringify(settings, undefined, 2),
  );
  expect(await desk.haft("mcp", "install", "gemini", "--dialect", "portable")).toMatchObject({
    exitCode: 0,
  });
  return desk;
}
