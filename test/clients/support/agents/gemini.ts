import type { Agent } from "./agent.ts";

const program = { client: "gemini", program: "gemini" };

// It starts servers in folders only that its user trusts.
const trusting = { GEMINI_CLI_TRUST_WORKSPACE: "true" };

/** Gemini CLI */
export const gemini: Agent = {
  id: "gemini",
  title: "Gemini CLI",
  dialect: "gemini",
  nameOf: (tool) => `mcp_haft_${tool}`,
  list: { args: ["mcp", "list"], shows: /haft: .*Connected/u },
  usedBefore: JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } } }),
  run: (desk, args) => desk.run(program, args, trusting),
  prompt: (desk, model) =>
    desk.run(
      program,
      ["-p", "go", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-o", "json"],
      { ...trusting, GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model.url },
    ),
  unframe: (result) =>
    result.replace(/^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/u, "$1"),
  ownTools: [
    ...["read_file", "write_file", "replace", "list_directory", "glob", "grep_search"],
    "run_shell_command",
  ],
  settings: ".gemini/settings.json",
  servers: ".gemini/settings.json",
};
