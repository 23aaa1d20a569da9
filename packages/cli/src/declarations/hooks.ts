import type { ArgumentDeclaration, Command } from "../command.ts";
import { withCommonOptions } from "./loaders.ts";
import { commonOnly } from "./option-groups.ts";

const which: ArgumentDeclaration = {
  name: "AGENT",
  description: "claude, codex or gemini, or a hook file. Default: all",
  suggestions: ["claude", "codex", "gemini"],
  optional: true,
  repeats: true,
  completes: "file",
};

/** `haft hooks` */
export const hooks: Command = {
  details: `
Hooks are commands of yours that run before and after each call, when a session starts and ends, and when
you submit a prompt. The files of Claude Code, Codex and Gemini CLI run unchanged, with the tool names,
the JSON and the exit codes of their agent: see docs/guides/hooks.md.

A hook can refuse a call, have you asked, change arguments and add text for the model. It can't allow
what rules ask about or deny. Hooks run with your permissions, outside of the sandbox. To use a file for
one run only, pass --hooks FILE to the command that runs.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List the hooks that run in this workspace",
      groups: [commonOnly("workspace", "hooks", "json")],
      examples: ["haft hooks", "haft hooks list --json | jq -r '.files[].hooks[].command'"],
      load: withCommonOptions(async () => (await import("../commands/hooks/list.ts")).listHooks),
    },
    import: {
      summary: "Show the hooks of other agents and store them",
      details: `
Without names it looks in the usual files of all three agents: yours, such as ~/.claude/settings.json, and
the workspace's, such as .claude/settings.json. Your own files are stored as they are now; when they
change, import them again. Files of the workspace, and scripts in it that hooks run, need your trust as
with haft trust, and run only with the content that you trusted.

Without a terminal nothing is stored, unless --yes is given.`,
      arguments: [which],
      options: { "dry-run": { description: "Store nothing. Only show what would run" } },
      groups: [commonOnly("workspace", "yes", "headless", "json")],
      examples: [
        "haft hooks import --dry-run",
        "haft hooks import claude",
        "haft hooks import ~/plugins/guard/hooks/hooks.json --yes",
      ],
      load: withCommonOptions(
        async () => (await import("../commands/hooks/import.ts")).importHooks,
      ),
    },
    elicitation: {
      summary: "Answer approval forms of haft mcp in Claude Code with the answers of haft inbox",
      details: `
Claude Code without a terminal cancels the forms of MCP servers. As a hook on Elicitation this command
answers those of haft mcp instead: it waits until a person answers the call with haft inbox answer. It
approves nothing itself, and leaves forms of other servers alone. The settings are in
docs/guides/hooks.md.`,
      options: {
        wait: {
          value: "DURATION",
          description:
            "How long to wait for an answer. Give the hook in the settings at least this timeout",
          default: "10m",
        },
      },
      examples: ["haft hooks elicitation --wait 1h < hook-input.json"],
      load: async () => (await import("../commands/hooks/elicitation.ts")).answerElicitation,
    },
    remove: {
      summary: "Forget imported hooks. Their files stay",
      arguments: [which],
      groups: [commonOnly("json")],
      examples: ["haft hooks remove codex", "haft hooks remove ~/.claude/settings.json"],
      load: withCommonOptions(
        async () => (await import("../commands/hooks/remove.ts")).removeHooks,
      ),
    },
  },
};
