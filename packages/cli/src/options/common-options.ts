import { amp, type Dialect, parseRule, portable, type Rule } from "@haft/core";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

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

const dialects: readonly Dialect[] = [portable, amp];

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
