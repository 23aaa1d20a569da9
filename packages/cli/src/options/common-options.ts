import { type Dialect, parseRule, portable, type Rule } from "@haft/core";
import type { CommandInput, OptionTable } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

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

/** The common options, read and checked. */
export interface CommonOptions {
  readonly workspace: string;
  readonly dialect: Dialect;
  readonly session: string;
  readonly yes: boolean;
  readonly headless: boolean;
  readonly rules: readonly Rule[];
  readonly json: boolean;
}

const dialects: readonly Dialect[] = [portable];

/** Reads the common options; what is wrong with them is a `UsageError`. */
export function readCommonOptions({ options }: CommandInput, io: Io): CommonOptions {
  return {
    workspace: text(options.workspace) ?? io.directory,
    dialect: readDialect(text(options.dialect) ?? portable.name),
    session: text(options.session) ?? "default",
    yes: options.yes === true,
    headless: options.headless === true || !io.interactive,
    rules: ((options.rule as string[] | undefined) ?? []).map(readRule),
    json: options.json === true,
  };
}

function text(value: CommandInput["options"][string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readDialect(name: string): Dialect {
  const found = dialects.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const known = dialects.map((dialect) => dialect.name).join(", ");
  throw new UsageError(`There is no dialect ${JSON.stringify(name)}. Dialects: ${known}.`);
}

function readRule(line: string): Rule {
  try {
    return parseRule(line);
  } catch (error) {
    throw new UsageError(`--rule: ${(error as Error).message}`);
  }
}
