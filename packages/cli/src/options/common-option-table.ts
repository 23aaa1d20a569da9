import type { OptionTable } from "../command.ts";

/** The options that every command which works on a session takes. */
export const commonOptions: OptionTable = {
  workspace: { type: "string", short: "C" },
  dialect: { type: "string" },
  session: { type: "string" },
  yes: { type: "boolean" },
  headless: { type: "boolean" },
  rule: { type: "string", multiple: true },
  json: { type: "boolean" },
};

/** How `--help` describes them. */
export const commonHelp = `Common options:
  -C, --workspace DIR   the workspace (default: the current directory)
      --dialect NAME    names and schemas to speak (default: portable)
      --session NAME    which session of the workspace (default: default)
      --rule RULE       a rule for this run: 'PERMISSION PATTERN ACTION', repeatable
      --yes             answer every question for approval with yes; denials still hold
      --headless        ask nobody, also where there is a terminal
      --json            print exactly the result, as JSON, on standard output
  -h, --help            show this
`;
