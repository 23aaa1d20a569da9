import type { Agent } from "./agent.ts";

const program = { client: "codex", program: "codex" };

/** Codex */
export const codex: Agent = {
  id: "codex",
  title: "Codex",
  dialect: "codex",
  nameOf: (tool) => `mcp__haft/${tool}`,
  // It starts no server to list it.
  list: { args: ["mcp", "list"], shows: /^haft .* enabled/mu },
  run: (desk, args) => desk.run(program, args),
  prompt: (desk, model) => {
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
    const given = settings.flatMap((setting) => ["-c", setting]);
    const args = ["exec", "--skip-git-repo-check", "--json", ...given, "go"];
    return desk.run(program, args, { KEY: "none" });
  },
  // How long the call took, and that its output follows.
  unframe: (result) => result.replace(/^Wall time: .*\nOutput:\n/u, ""),
  ownTools: ["exec_command", "write_stdin"],
  settings: ".codex/config.toml",
  servers: ".codex/config.toml",
};
