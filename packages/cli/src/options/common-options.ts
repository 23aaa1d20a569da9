import { resolve } from "node:path";
import type { SandboxMode } from "@haft/computer";
import {
  amp,
  claude,
  codex,
  type Dialect,
  gemini,
  parseRule,
  portable,
  type Rule,
} from "@haft/core";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { readWatchdogFile } from "./watchdog-file.ts";

/** The common options, read and checked. */
export interface CommonOptions {
  readonly workspace: string;
  readonly dialect: Dialect;
  readonly session: string;
  readonly yes: boolean;
  readonly headless: boolean;
  readonly rules: readonly Rule[];
  readonly sandbox: SandboxMode;
  readonly allowHosts: readonly string[];
  /** Names of variables. */
  readonly passVariables: readonly string[];
  /** The path of a program, in full. */
  readonly watchdog: string | undefined;
  /** The paths of mount plans, in full. */
  readonly mounts: readonly string[];
  /** A file with tool-call specs. */
  readonly published: string | undefined;
  /** The only tools there are to be, by any of their names; all unless said. */
  readonly tools: readonly string[] | undefined;
  /** No tool changes files. */
  readonly readOnly: boolean;
  readonly json: boolean;
}

/** Every dialect there is. */
export const dialects: readonly Dialect[] = [portable, amp, claude, codex, gemini];

const sandboxModes: readonly SandboxMode[] = ["required", "auto", "off"];

/** Reads the common options; what is wrong with them is a `UsageError`. */
export function readCommonOptions({ options }: CommandInput, io: Io): CommonOptions {
  const { environment } = io;
  return {
    workspace: text(options.workspace) ?? io.directory,
    dialect: readDialect(text(options.dialect) ?? portable.name),
    session: text(options.session) ?? "default",
    yes: options.yes === true,
    headless: options.headless === true || !io.interactive,
    rules: texts(options.rule).map((line) => readRule(line, "--rule")),
    sandbox: readSandbox(text(options.sandbox), environment.HAFT_SANDBOX),
    allowHosts: texts(options["allow-host"]),
    passVariables: texts(options["pass-env"]).map((name) => requireVariable(name, io)),
    watchdog: readWatchdogFile(text(options.watchdog), io),
    mounts: texts(options.mount).map((plan) => resolve(io.directory, plan)),
    published: text(options.published),
    tools: readToolNames(text(options.tools)),
    readOnly: options["read-only"] === true,
    json: options.json === true,
  };
}

/** Reads a rule; what is wrong with it is said to be wrong in `place`. */
export function readRule(line: string, place: string): Rule {
  try {
    return parseRule(line);
  } catch (error) {
    throw new UsageError(`${place}: ${(error as Error).message}`);
  }
}

function text(value: CommandInput["options"][string]): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function texts(value: CommandInput["options"][string]): readonly string[] {
  return (value as string[] | undefined) ?? [];
}

function readToolNames(given: string | undefined): readonly string[] | undefined {
  if (given === undefined) return undefined;
  const names = given.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw new UsageError("--tools takes names with commas between them, such as read,grep,bash.");
}

function readDialect(name: string): Dialect {
  const found = dialects.find((dialect) => dialect.name === name);
  if (found !== undefined) return found;
  const known = dialects.map((dialect) => dialect.name).join(", ");
  throw new UsageError(`There is no dialect ${JSON.stringify(name)}. Dialects: ${known}.`);
}

function readSandbox(option: string | undefined, variable: string | undefined): SandboxMode {
  const given = option ?? (variable || "auto");
  const found = sandboxModes.find((mode) => mode === given);
  if (found !== undefined) return found;
  const place = option === undefined ? "HAFT_SANDBOX" : "--sandbox";
  throw new UsageError(
    `${place}: there is no mode ${JSON.stringify(given)}. Modes: ${sandboxModes.join(", ")}.`,
  );
}

function requireVariable(name: string, { environment }: Io): string {
  if (environment[name] !== undefined) return name;
  throw new UsageError(
    name.includes("=")
      ? `--pass-env takes the name of a variable, not its value: ${name.split("=", 1)[0]}`
      : `--pass-env: there is no variable ${JSON.stringify(name)} in the environment.`,
  );
}
