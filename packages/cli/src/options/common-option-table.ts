import type { OptionTable } from "../command.ts";

/** The options that every command which works on a session takes. */
export const commonOptions: OptionTable = {
  workspace: { type: "string", short: "C" },
  dialect: { type: "string" },
  session: { type: "string" },
  yes: { type: "boolean" },
  headless: { type: "boolean" },
  rule: { type: "string", multiple: true },
  sandbox: { type: "string" },
  "allow-host": { type: "string", multiple: true },
  "pass-env": { type: "string", multiple: true },
  watchdog: { type: "string" },
  mount: { type: "string", multiple: true },
  published: { type: "string" },
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
      --sandbox MODE    where commands run: required (nowhere but in the sandbox), auto (there
                        if this machine has one; default) or off
      --allow-host HOST[:PORT]
                        let tools reach this host though it is private, and commands reach it
                        at all, repeatable
      --pass-env NAME   give commands this variable though its name tells of a secret, repeatable;
                        its value is masked wherever it comes back
      --watchdog FILE   a program that has a look at every call before it runs: docs/guides/safety.md
      --mount PLAN      mount the modules of a plan (YAML or JSON), repeatable: docs/guides/modules.md
      --published FILE  the organization's tools, by the tool-call specs or states in FILE (JSON), from
                        the platform of HAFT_URL or haft serve: docs/guides/platform.md
      --json            print exactly the result, as JSON, on standard output
  -h, --help            show this
`;

/** The same without options that a command describes itself or has no use for. */
export function commonHelpWithout(...names: readonly string[]): string {
  const pieces = commonHelp.split(/^(?= {2}(?:-\w, | {4})--)/mu);
  return pieces.filter((piece) => !names.includes(/--([a-z-]+)/u.exec(piece)?.[1] ?? "")).join("");
}
