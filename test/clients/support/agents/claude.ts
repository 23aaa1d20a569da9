import type { Agent } from "./agent.ts";

const program = { client: "claude", program: "claude" };

/** Claude Code */
export const claude: Agent = {
  id: "claude",
  title: "Claude Code",
  dialect: "claude",
  nameOf: (tool) => `mcp__haft__${tool}`,
  list: { args: ["mcp", "list"], shows: /^haft: .* Connected/mu },
  run: (desk, args) => desk.run(program, args),
  prompt: (desk, model) =>
    desk.run(
      program,
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
    ),
  unframe: (result) => result,
  ownTools: ["Read", "Edit", "Write", "NotebookEdit", "Bash"],
  settings: ".claude/settings.json",
  servers: ".claude.json",
};
