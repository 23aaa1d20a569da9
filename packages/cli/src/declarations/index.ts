import type { CommandTable } from "../command.ts";

/** Every command, in the order in which the overview shows them. */
export const commands: CommandTable = {
  tools: {
    summary: "List the tools as a model sees them",
    load: async () => (await import("./tools.ts")).tools,
  },
  call: {
    summary: "Make one call",
    load: async () => (await import("./call.ts")).call,
  },
  batch: {
    summary: "Make several calls in parallel, or show how they would run",
    load: async () => (await import("./batch.ts")).batch,
  },
  agent: {
    summary: "Let a model work with the tools: one prompt, or a conversation in the terminal",
    load: async () => (await import("./agent.ts")).agent,
  },
  agents: {
    summary: "List and show agents",
    load: async () => (await import("./agents.ts")).agents,
  },
  acp: {
    summary: "Serve the agent to an editor (ACP)",
    load: async () => (await import("./acp.ts")).acp,
  },
  skills: {
    summary: "List, check and show skills: instructions that an agent loads on demand",
    load: async () => (await import("./skills.ts")).skills,
  },
  mcp: {
    summary: "Serve the tools over MCP, and use the tools of MCP servers",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  toolbox: {
    summary: "List, test and create tools that are scripts",
    load: async () => (await import("./toolbox.ts")).toolbox,
  },
  module: {
    summary: "Create and check modules that provide tools",
    load: async () => (await import("./module.ts")).module,
  },
  permissions: {
    summary: "Show, change and test the rules that allow, ask about or deny calls",
    load: async () => (await import("./permissions.ts")).permissions,
  },
  hooks: {
    summary: "Run the hooks that you have for Claude Code, Codex and Gemini CLI",
    load: async () => (await import("./hooks.ts")).hooks,
  },
  trust: {
    summary: "Review the files of a workspace and let them take effect",
    load: async () => (await import("./trust.ts")).trust,
  },
  undo: {
    summary: "Undo what the last call changed, or everything since a call",
    load: async () => (await import("./undo.ts")).undo,
  },
  redo: {
    summary: "Revert the last undo",
    load: async () => (await import("./undo.ts")).redo,
  },
  diff: {
    summary: "Show what the session changed, as a diff",
    load: async () => (await import("./undo.ts")).diff,
  },
  sessions: {
    summary: "List, show, search, export, fork and close sessions",
    load: async () => (await import("./sessions.ts")).sessions,
  },
  replay: {
    summary: "Replay the recorded results of a session without running anything",
    load: async () => (await import("./replay.ts")).replay,
  },
  doctor: {
    summary: "Check what this machine provides, and say how to fix what is missing",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  serve: {
    summary: "Serve an organization's tools over HTTP",
    load: async () => (await import("./serve.ts")).serve,
  },
  console: {
    summary: "Print a link that opens the console in a browser",
    load: async () => (await import("./console.ts")).console,
  },
  tool: {
    summary: "Create, publish, invoke and deprecate an organization's tools",
    load: async () => (await import("./tool.ts")).tool,
  },
  inbox: {
    summary: "List and answer questions of tools that wait for a person",
    load: async () => (await import("./inbox.ts")).inbox,
  },
  webhook: {
    summary: "Add addresses that are told of events, and see what was sent to them",
    load: async () => (await import("./webhook.ts")).webhook,
  },
  "tool-scaffold": {
    summary: "Install the package that tools are written with into their folders",
    load: async () => (await import("./tool-scaffold.ts")).toolScaffold,
  },
  org: {
    summary: "Create and list the organizations of a platform",
    load: async () => (await import("./org.ts")).org,
  },
  role: {
    summary: "Create, list, update and delete an organization's roles: what API keys may do",
    load: async () => (await import("./role.ts")).role,
  },
  key: {
    summary: "Create, list, rotate and delete an organization's API keys",
    load: async () => (await import("./key.ts")).key,
  },
  audit: {
    summary: "Export an organization's audit trail, and check that it was not changed",
    load: async () => (await import("./audit.ts")).audit,
  },
  env: {
    summary: "Name platforms, to choose one with --env",
    load: async () => (await import("./env.ts")).env,
  },
  secrets: {
    summary: "Rotate the master key that encrypts a platform's secrets",
    load: async () => (await import("./secrets.ts")).secrets,
  },
  backup: {
    summary: "Write all data of a platform to one file",
    load: async () => (await import("./backup.ts")).backup,
  },
  restore: {
    summary: "Restore a data directory from a backup",
    load: async () => (await import("./backup.ts")).restore,
  },
  completions: {
    summary: "Print a shell completion script",
    load: async () => (await import("./completions.ts")).declareCompletions(commands),
  },
};
