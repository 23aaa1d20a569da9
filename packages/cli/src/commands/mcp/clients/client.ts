import type { JsonValue } from "@haft/contract";
import type { SettingsFormat } from "./settings-format.ts";

/** Whom an entry is for: this user everywhere, or everybody who works in this project. */
export type ClientScope = "user" | "project";

/** Where settings are looked for. */
export interface ClientPlace {
  readonly scope: ClientScope;
  readonly home: string;
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A program that can use our tools over MCP. */
export interface McpClient {
  readonly id: string;
  readonly title: string;
  /** What it is called on the PATH. */
  readonly programs: readonly string[];
  /** The scope that needs the least more doing. */
  readonly usualScope: ClientScope;
  readonly format: SettingsFormat;
  /** The key under which its settings list servers. */
  readonly section: string;
  /** The settings files that it reads; what goes before the others comes first. */
  files(place: ClientPlace): readonly string[];
  /** The entry that starts a server with these words. */
  toEntry(words: readonly string[]): Readonly<Record<string, JsonValue>>;
  /** Names the workspace to the server, where the client does not start it there. */
  readonly workspaceWords?: readonly string[];
  /** What it would replace in the words of a server instead of handing it on. */
  readonly expands?: RegExp;
  /** Its own command to the same end. */
  addCommand?(name: string, words: readonly string[], scope: ClientScope): readonly string[];
  /** Its own command that takes the entry out again. */
  removeCommand?(name: string, scope: ClientScope): readonly string[] | undefined;
  /** What is left to do before it uses the server. */
  remark?(scope: ClientScope): string | undefined;
}

/** The entry most clients have: a program, and its arguments apart. */
export function toCommandEntry([command = "", ...args]: readonly string[]): Readonly<
  Record<string, JsonValue>
> {
  return { command, args };
}
