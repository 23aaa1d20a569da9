import type { Command } from "../command.ts";

/** A command's line in the overview, and where the rest of it is. */
export interface CommandEntry {
  readonly summary: string;
  /** Loaded only when used: starting up must not cost what the other commands need. */
  load(): Promise<Command>;
}

/** Every command, in the order in which the overview shows them. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  tools: {
    summary: "List the tools, as a model sees them",
    load: async () => (await import("./tools.ts")).tools,
  },
  call: {
    summary: "Make one call",
    load: async () => (await import("./call.ts")).call,
  },
  batch: {
    summary: "Make several calls at once, or show how they would run",
    load: async () => (await import("./batch.ts")).batch,
  },
  agent: {
    summary: "Have a model work with these tools: one shot, or in a terminal",
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
    summary: "List, check and show skills",
    load: async () => (await import("./skills.ts")).skills,
  },
  mcp: {
    summary: "Give an agent these tools over MCP; have the tools of MCP servers",
    load: async () => (await import("./mcp.ts")).mcp,
  },
  toolbox: {
    summary: "List, try and make tools that are scripts",
    load: async () => (await import("./toolbox.ts")).toolbox,
  },
  module: {
    summary: "Check and make modules that bring tools",
    load: async () => (await import("./module.ts")).module,
  },
  permissions: {
    summary: "Show, change and try the rules; take over another program's",
    load: async () => (await import("./permissions.ts")).permissions,
  },
  undo: {
    summary: "Take back the last change that a call made",
    load: async () => (await import("./undo.ts")).undo,
  },
  sessions: {
    summary: "List, show, search, export, fork or close sessions",
    load: async () => (await import("./sessions.ts")).sessions,
  },
  replay: {
    summary: "Give recorded results again, without touching anything",
    load: async () => (await import("./replay.ts")).replay,
  },
  doctor: {
    summary: "Tell what this machine offers and what is missing",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  serve: {
    summary: "Serve an organization's tools, MCP and a page to try tools on",
    load: async () => (await import("./serve.ts")).serve,
  },
  tool: {
    summary: "Make, publish, invoke and retire an organization's tools",
    load: async () => (await import("./tool.ts")).tool,
  },
  "tool-scaffold": {
    summary: "Put what tools are written with into their folders",
    load: async () => (await import("./tool-scaffold.ts")).toolScaffold,
  },
  org: {
    summary: "Make and list organizations",
    load: async () => (await import("./org.ts")).org,
  },
  role: {
    summary: "Make, list and delete roles: what keys may do",
    load: async () => (await import("./role.ts")).role,
  },
  key: {
    summary: "Make, list, rotate and delete API keys",
    load: async () => (await import("./key.ts")).key,
  },
  env: {
    summary: "Name platforms, to choose one with --env",
    load: async () => (await import("./env.ts")).env,
  },
  secrets: {
    summary: "Rotate the master key that secrets are sealed with",
    load: async () => (await import("./secrets.ts")).secrets,
  },
  backup: {
    summary: "Write everything that a platform keeps into one file",
    load: async () => (await import("./backup.ts")).backup,
  },
  restore: {
    summary: "Make a data directory of a backup",
    load: async () => (await import("./restore.ts")).restore,
  },
};
