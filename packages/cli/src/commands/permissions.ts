import type { Command } from "../command.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";
import { addRule, removeRule } from "./permissions-change.ts";
import { checkCalls } from "./permissions-check.ts";
import { importRules } from "./permissions-import.ts";
import { listRules } from "./permissions-list.ts";

const actions = {
  list: listRules,
  add: addRule,
  remove: removeRule,
  check: checkCalls,
  import: importRules,
};

/** `haft permissions` */
export const permissions: Command = {
  help: `Show, change and try the rules that decide whether a call runs, is asked about or is refused.

Usage: haft permissions [list]                 every rule in force, and where it comes from
       haft permissions add RULE               store one, and show what it would have allowed
       haft permissions remove RULE            take one away again
       haft permissions check NAME [ARGUMENTS] what would become of a call; runs nothing
       haft permissions check -                the same for many: [{"name", "arguments", "rules"}, …]
       haft permissions import amp|claude [FILE]
                                               take over another program's settings

A RULE is PERMISSION PATTERN ACTION. The first word is a tool, a capability (fs.read, fs.write,
net.fetch, shell.run), mcp:SERVER:TOOL or *; @sandbox behind it makes the rule hold in the sandbox
only. The last word is allow, ask or deny. What is between is the pattern: the words that a command
starts with, a path from the workspace, a host, or *. The most specific rule decides, of equals the
strictest; see docs/guides/safety.md.

check takes ARGUMENTS as haft call does and exits with 0 for allow, 1 for ask, 2 for deny. With
--json it answers {"action", "layer", "rule", "why"}; of many an array in their order, and exits
with 0.

      --scope SCOPE     where add, remove and import store: project (in .haft/rules, to be committed;
                        default) or session
      --dry-run         with import: store nothing, only show

Examples:
  haft permissions
  haft permissions add 'bash git log allow'
  haft permissions add -- bash npm run build --watch allow
  haft permissions add 'write docs/** allow' --scope session
  haft permissions remove 'bash git log allow'
  haft permissions check bash command='git log --oneline | head'
  haft permissions check write path=src/a.ts content=x --rule 'write src/** allow' --json
  echo '[{"name":"bash","arguments":{"command":"rm -rf /"}}]' | haft permissions check -
  haft permissions import claude --dry-run
  haft permissions import amp ~/.config/amp/settings.json

${commonHelp}`,
  options: { ...commonOptions, scope: { type: "string" }, "dry-run": { type: "boolean" } },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const [action = "list", ...positionals] = input.positionals;
    if (!Object.hasOwn(actions, action)) {
      const known = Object.keys(actions).join(", ");
      throw new UsageError(`permissions can ${known}, not ${JSON.stringify(action)}.`);
    }
    return actions[action as keyof typeof actions]({ ...input, positionals }, options, io);
  },
};
