import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "./agent.ts";

const program = { client: "opencode", program: "opencode" };

// It would look for news on the net first.
const offline = {
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
};

/** opencode */
export const opencode: Agent = {
  id: "opencode",
  title: "opencode",
  dialect: "portable",
  nameOf: (tool) => `haft_${tool}`,
  list: { args: ["mcp", "list"], shows: /haft.*connected/u },
  run: (desk, args) => desk.run(program, args, offline),
  prompt: (desk, model) => {
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
    return desk.run(program, ["run", "--format", "json", "go"], offline);
  },
  unframe: (result) => result,
  ownTools: ["read", "edit", "write", "glob", "grep", "bash"],
  settings: ".config/opencode/opencode.json",
  servers: ".config/opencode/opencode.json",
};
