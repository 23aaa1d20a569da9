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
  /** The settings files that it reads, highest precedence first. */
  files(context: ClientContext): readonly string[];
  /** Returns the entry that starts a server with these words. */
  toEntry(words: readonly string[]): Readonly<Record<string, JsonValue>>;
  /** Words that name the workspace, if the client does not start servers there. */
  readonly workspaceWords?: readonly string[];
  /** What the client would replace in the words of a server. */
  readonly expands?: RegExp;
  /** The client's own command to add the entry. */
  addCommand?(name: string, words: readonly string[], scope: ClientScope): readonly string[];
  /** The client's own command to remove the entry. */
  removeCommand?(name: string, scope: ClientScope): readonly string[] | undefined;
  /** What remains to be done before the client uses the server. */
  remark?(scope: ClientScope): string | undefined;
}

/** Returns the entry of most clients: a program and its arguments. */
export function toCommandEntry([command = "", ...args]: readonly string[]): Readonly<
  Record<string, JsonValue>
> {
  return { command, args };
}
