import type { ArgumentDeclaration, Command, OptionTable } from "../command.ts";
import { withCommonOptions } from "./loaders.ts";
import { commonOnly, commonOptions } from "./option-groups.ts";

const scope: OptionTable = {
  scope: {
    value: "SCOPE",
    description: "Where rules are stored: project (.haft/rules, to be committed) or session",
    choices: ["project", "session"],
    default: "project",
  },
};

const rule: ArgumentDeclaration = {
  name: "RULE",
  description: "'PERMISSION PATTERN ACTION', quoted or as separate words after --",
  repeats: true,
};

/** `haft permissions` */
export const permissions: Command = {
  details: `
A RULE is PERMISSION PATTERN ACTION. The first word is a tool, a capability (fs.read, fs.write,
net.fetch, shell.run), mcp:SERVER:TOOL or *; with @sandbox after it, the rule applies only in the
sandbox. The last word is allow, ask or deny. Everything between is the pattern: the words that a
command starts with, a path relative to the workspace, a host, or *. The most specific rule decides;
of equally specific rules, the strictest. See docs/guides/safety.md.

Rules in .haft/rules that you did not add yourself allow nothing until you have trusted them: haft
trust.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List every rule in effect and where it comes from",
      groups: [commonOptions],
      examples: ["haft permissions"],
      load: withCommonOptions(
        async () => (await import("../commands/permissions-list.ts")).listRules,
      ),
    },
    add: {
      summary: "Store a rule, and show which past calls it would have allowed",
      arguments: [rule],
      options: scope,
      groups: [commonOptions],
      examples: [
        "haft permissions add 'bash git log allow'",
        "haft permissions add -- bash npm run build --watch allow",
        "haft permissions add 'write docs/** allow' --scope session",
      ],
      load: withCommonOptions(
        async () => (await import("../commands/permissions-change.ts")).addRule,
      ),
    },
    remove: {
      summary: "Remove a stored rule",
      arguments: [rule],
      options: scope,
      groups: [commonOnly("workspace", "session", "json")],
      examples: ["haft permissions remove 'bash git log allow'"],
      load: withCommonOptions(
        async () => (await import("../commands/permissions-change.ts")).removeRule,
      ),
    },
    check: {
      summary: "Show whether calls would be allowed, without running anything",
      details: `
Takes the call through every check up to its execution: arguments, capability, rules, watchdog, and the
checks of files, hosts and commands at the time of use. Reports the first refusal and what to do about
it. What only the call itself can find out, such as the address of a host, is named.

Exits with 0 for allow, 1 for ask, 2 for deny. With --json it prints {"action", "stage", "rule", "why",
"remedy", "unchecked"}.
With - it reads many calls from standard input, [{"name", "arguments", "rules"}, …], prints an array in
the same order and exits with 0.`,
      arguments: [
        { name: "TOOL", description: "Name of the tool, or - for many calls" },
        {
          name: "ARGUMENTS",
          description: "Arguments of the call, as for haft call",
          optional: true,
          repeats: true,
        },
      ],
      groups: [commonOptions],
      examples: [
        "haft permissions check bash command='git log --oneline | head'",
        "haft permissions check write path=src/a.ts content=x --rule 'write src/** allow' --json",
        `echo '[{"name":"bash","arguments":{"command":"rm -rf /"}}]' | haft permissions check -`,
      ],
      load: withCommonOptions(
        async () => (await import("../commands/permissions-check.ts")).checkCalls,
      ),
    },
    simulate: {
      summary: "Show which recorded calls a rule would have allowed, asked about or denied",
      details: `
Compares the rules in effect now with the same rules and RULE, for every recorded call of the sessions of
this workspace. Nothing is run or stored, and the watchdog is not consulted. Calls whose arguments were
masked or not recorded completely, or whose tool is not available now, are counted separately. With
--json it prints {"rule", "sessions", "calls", "changed", "totals", "changes", "omitted", "not_judged"}.`,
      arguments: [rule],
      options: {
        since: { value: "DURATION", description: "Only calls of this period, such as 12h or 30d" },
        session: {
          value: "NAME",
          description: "Only this session of the workspace",
          default: "all sessions",
        },
        all: { description: "Sessions of every workspace" },
        limit: { value: "N", description: "Maximum number of calls to list", default: "50" },
      },
      groups: [commonOnly("workspace", "sandbox", "json")],
      examples: [
        "haft permissions simulate 'bash git push deny'",
        "haft permissions simulate 'bash npm run allow' --since 30d",
        "haft permissions simulate 'fs.write docs/** allow' --session default --json",
      ],
      load: withCommonOptions(
        async () => (await import("../commands/permissions-simulate.ts")).simulate,
      ),
    },
    import: {
      summary: "Import the rules of another program",
      details: `
Without a terminal, rules from files of the workspace that allow something are stored only with --yes.`,
      arguments: [
        { name: "PROGRAM", description: "amp or claude", suggestions: ["amp", "claude"] },
        {
          name: "FILE",
          description: "Settings file. Default: the program's usual files",
          optional: true,
          completes: "file",
        },
      ],
      options: {
        ...scope,
        "dry-run": { description: "Store nothing. Only show what would be imported" },
      },
      groups: [commonOnly("workspace", "session", "yes", "headless", "json")],
      examples: [
        "haft permissions import claude --dry-run",
        "haft permissions import amp ~/.config/amp/settings.json",
      ],
      load: withCommonOptions(
        async () => (await import("../commands/permissions-import.ts")).importRules,
      ),
    },
  },
};
