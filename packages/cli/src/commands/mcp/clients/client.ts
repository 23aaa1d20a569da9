import type { JsonValue } from "@haft/contract";
import type { SettingsFormat } from "./settings-format.ts";

/** Who uses an entry: this user everywhere, or everyone in this project. */
export type ClientScope = "user" | "project";

/** Directories that settings are looked for in. */
export interface ClientContext {
  readonly scope: ClientScope;
  readonly home: string;
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A program that can use Haft's tools over MCP. */
export interface McpClient {
  readonly id: string;
  readonly title: string;
  /** Its name on the PATH. */
  readonly programs: readonly string[];
  /** The default scope: the one that needs the fewest further steps. */
  readonly usualScope: ClientScope;
  readonly format: SettingsFormat;
  /** The key under which its settings list servers. */
  readonly section: string;
  /** The settings files that it reads, highest precedence first. None if it lacks the scope. */
  files(context: ClientContext): readonly string[];
  /** Returns the entry that starts a server with these words. */
  toEntry(words: readonly string[]): Readonly<Record<string, JsonValue>>;
  /**
   * Returns the entry for a remote server, with the bearer token in an environment variable. Absent if
   * the client can't read a token from one.
   */
  toRemoteEntry?(url: string, variable: string): Readonly<Record<string, JsonValue>>;
  /** The dialect of the models that the client uses. Default: portable, for clients of any model. */
  readonly dialect?: string;
  /** The client's name for the workspace, if it does not start servers there. */
  readonly workspaceVariable?: string;
  /** Whether it starts servers anywhere and has no such name, so that an entry is for one workspace. */
  readonly isPlaceless?: boolean;
  /** What the client would replace in the words of a server. */
  readonly expands?: RegExp;
  /** The client's own command to add the entry. */
  addCommand?(name: string, words: readonly string[], scope: ClientScope): readonly string[];
  /** The client's own command to remove the entry. */
  removeCommand?(name: string, scope: ClientScope): readonly string[] | undefined;
  /** How to switch off the client's own tools for files and commands, so that its model uses Haft's. */
  readonly ownToolsOff: string;
  /** What remains to be done before the client uses the server. */
  remark?(scope: ClientScope): string | undefined;
}

/** Returns the entry of most clients: a program and its arguments. */
export function toCommandEntry([command = "", ...args]: readonly string[]): Readonly<
  Record<string, JsonValue>
> {
  return { command, args };
}
