import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import type { SandboxMode } from "@haft/computer";
import type { NamedHooks } from "@haft/connect/internal";
import {
  amp,
  claude,
  codex,
  type Dialect,
  gemini,
  parseRule,
  type ReviewMode,
  type Rule,
} from "@haft/core";
import { portable } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { readCount } from "./read-count.ts";
import { readMilliseconds } from "./read-duration.ts";
import { type MoreRoots, readRoots } from "./read-roots.ts";

/** The common options, read and checked. */
export interface CommonOptions {
  readonly workspace: string;
  /** Directories beside the workspace. */
  readonly roots: MoreRoots;
  readonly dialect: Dialect;
  readonly session: string;
  readonly yes: boolean;
  readonly headless: boolean;
  /** How long calls wait for a person where none can be asked, in milliseconds. Default: the command's. */
  readonly waitMs: number | undefined;
  readonly rules: readonly Rule[];
  readonly sandbox: SandboxMode;
  readonly review: ReviewMode;
  readonly allowHosts: readonly string[];
  /** Names of variables. */
  readonly passVariables: readonly string[];
  /** Absolute path of a program. */
  readonly watchdog: string | undefined;
  /** Hook files, with absolute paths. */
  readonly hooks: readonly NamedHooks[];
  /** Absolute paths of mount plans. */
  readonly mounts: readonly string[];
  /** A file with tool-call specs. */
  readonly published: string | undefined;
  /** Whether published tools are invoked in the mode `conversation-simulation`. */
  readonly simulate: boolean;
  /** Maximum number of tokens of all definitions. Default: the session's. */
  readonly maxDefinitionTokens: number | undefined;
  /** Whether all files of the workspace are trusted for this run. */
  readonly trustProject: boolean;
  /** Whether programs can be run that call the tools. */
  readonly code: boolean;
  /** The only tools to offer, by any of their names. Default: all. */
  readonly tools: readonly string[] | undefined;
  /** Whether no tool may change files. */
  readonly readOnly: boolean;
  readonly json: boolean;
}

/** Every dialect. */
export const dialects: readonly Dialect[] = [portable, amp, claude, codex, gemini];

const sandboxModes: readonly SandboxMode[] = ["required", "auto", "off"];

/** Reads the common options. Throws a `UsageError` if one is invalid. */
export function readCommonOptions({ options }: CommandInput, io: Io): CommonOptions {
  const { environment } = io;
  if (options.simulate === true && options.published === undefined) {
    throw new UsageError("--simulate is about published tools. Add --published FILE.");
  }
  return {
    workspace: text(options.workspace) ?? io.directory,
    roots: readRoots(texts(options.root), io),
    dialect: readDialect(text(options.dialect) ?? portable.name),
    session: text(options.session) ?? "default",
    yes: options.yes === true,
    headless: options.headless === true || !io.interactive,
    waitMs: readMilliseconds({ options, positionals: [] }, "wait"),
    rules: texts(options.rule).map((line) => readRule(line, "--rule")),
    sandbox: readSandbox(text(options.sandbox), environment.HAFT_SANDBOX),
    // Its declaration lists the choices.
    review: (text(options.review) ?? "effects") as ReviewMode,
    allowHosts: texts(options["allow-host"]),
    passVariables: readVariableNames(texts(options["pass-env"]), io),
    watchdog: readWatchdogFile(text(options.watchdog), io),
    hooks: texts(options.hooks).map((word) => readHooksOption(word, io)),
    mounts: texts(options.mount).map((plan) => resolve(io.directory, plan)),
    published: text(options.published),
    simulate: options.simulate === true,
    maxDefinitionTokens: readCount({ options }, "max-definition-tokens"),
    trustProject: options["trust-project"] === true,
    code: options.code === true,
    tools: readToolNames(text(options.tools)),
    readOnly: options["read-only"] === true,
    json: options.json === true,
  };
}

function readHooksOption(word: string, io: Io): NamedHooks {
  const [, agent, file = word] = /^(claude|codex|gemini):(.+)$/su.exec(word) ?? [];
  return { path: resolve(io.directory, file), format: agent as NamedHooks["format"] };
}

/** Parses a rule. Errors start with `place`. */
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
  throw new UsageError("--tools takes names separated by commas, such as read,grep,bash.");
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

function readVariableNames(lists: readonly string[], { environment }: Io): readonly string[] {
  const names = lists.flatMap((list) => list.split(",").map((name) => name.trim()));
  for (const name of names) {
    if (name.includes("=")) {
      const [variable] = name.split("=", 1);
      throw new UsageError(
        `--pass-env takes the name of a variable, not its value: write --pass-env ${variable}`,
      );
    }
    if (!/^[A-Za-z_]\w*$/u.test(name)) {
      throw new UsageError(
        `--pass-env: ${JSON.stringify(name)} is not the name of a variable. Spell out each name, separated by commas, such as GH_TOKEN,GH_HOST. There are no patterns.`,
      );
    }
    if (environment[name] === undefined) {
      throw new UsageError(
        `--pass-env: the environment variable ${JSON.stringify(name)} is not set. Set it, or leave it out.`,
      );
    }
  }
  return [...new Set(names)];
}

/** Returns the executable that `--watchdog` or `HAFT_WATCHDOG` names. */
function readWatchdogFile(option: string | undefined, io: Io): string | undefined {
  const given = option ?? (io.environment.HAFT_WATCHDOG || undefined);
  if (given === undefined) return undefined;
  const path = resolve(io.directory, given);
  const place = option === undefined ? "HAFT_WATCHDOG" : "--watchdog";
  if (!isFile(path)) throw new UsageError(`${place}: there is no file ${path}.`);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new UsageError(`${place}: ${path} is not executable. Run: chmod +x ${given}`);
  }
  return path;
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
