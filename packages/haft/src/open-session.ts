import { createDiskComputer, type SandboxMode } from "@haft/computer";
import type { Tool } from "@haft/contract";
import {
  type Computer,
  createRegistry,
  createSession,
  parseRule,
  type Rule,
  type Session,
  type SessionOptions,
} from "@haft/core";
import { builtinTools } from "@haft/tools";

/** Options of a session on a workspace. All are optional. */
export interface OpenSessionOptions
  extends Omit<SessionOptions, "registry" | "computer" | "rules"> {
  /** The directory to work in, or several. Relative paths start at the first. Default: `"."`. */
  readonly workspace?: string | readonly string[];
  /** The tools of the session. Default: `builtinTools`. */
  readonly tools?: readonly Tool[];
  /** Rules, parsed or as text: `"edit **\/*.md allow"`. Default: none beside the stored ones. */
  readonly rules?: readonly (Rule | string)[];
  /** Whether commands run in a sandbox: `"required"`, `"auto"` or `"off"`. Default: `"auto"`. */
  readonly sandbox?: SandboxMode;
  /**
   * Names of environment variables that commands get in addition to harmless ones such as `PATH`,
   * `LANG` and `JAVA_HOME`. Default: none.
   */
  readonly passVariables?: readonly string[];
  /** Where sessions, rules and undo records are kept. Default: `$HAFT_HOME`, else `~/.local/state/haft`. */
  readonly stateDirectory?: string;
  /**
   * Replaces the machine, for example with `createMemoryComputer()`. Then `workspace`, `sandbox`,
   * `passVariables` and `stateDirectory` have no effect.
   */
  readonly computer?: Computer;
}

/**
 * Opens a session on a workspace: the built-in tools, the workspace's files and programs, and rules.
 * Calls that need approval are refused unless a rule allows them or a `host` asks a person.
 *
 * @example
 * ```ts
 * import { openSession } from "haft";
 *
 * const session = openSession({ workspace: ".", rules: ["edit **\/*.md allow"] });
 * const result = await session.call({ name: "read", arguments: { path: "README.md", limit: 5 } });
 * console.log(result.type === "output" ? result.data : result.error_text);
 * await session.close();
 * ```
 */
export function openSession(options: OpenSessionOptions = {}): Session {
  const { workspace = ".", sandbox, passVariables, stateDirectory, ...others } = options;
  const { tools = builtinTools, rules = [], computer, ...rest } = others;
  const machine = {
    workspace,
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(passVariables === undefined ? {} : { passVariables }),
    ...(stateDirectory === undefined ? {} : { stateDirectory }),
  };
  return createSession({
    ...rest,
    registry: createRegistry(tools),
    computer: computer ?? createDiskComputer(machine),
    rules: rules.map((rule) => (typeof rule === "string" ? parseRule(rule) : rule)),
  });
}
