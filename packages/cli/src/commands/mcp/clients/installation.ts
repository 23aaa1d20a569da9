import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type JsonValue, ToolError } from "@haft/contract";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { UsageError } from "../../../usage-error.ts";
import type { ClientPlace, ClientScope, McpClient } from "./client.ts";
import { launchWords } from "./launch-words.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";
import { valueAt } from "./settings-format.ts";

/** One entry that is to be in one client's settings. */
export interface Installation {
  readonly client: McpClient;
  readonly scope: ClientScope;
  readonly name: string;
  /** What the client is to start. */
  readonly words: readonly string[];
  readonly keys: readonly [section: string, name: string];
  readonly entry: Readonly<Record<string, JsonValue>>;
  readonly file: SettingsFile;
  /** Everything that the file says now. */
  readonly settings: unknown;
}

/** A command line, as it was given and as it was read. */
export interface GivenOptions {
  readonly input: CommandInput;
  readonly options: CommonOptions;
}

/** Makes out what is to be installed where; changes nothing. */
export function planInstallation(client: McpClient, given: GivenOptions, io: Io): Installation {
  const { input, options } = given;
  const scope = readScope(input, client);
  const name = readName(input);
  const workspace = resolve(io.directory, options.workspace);
  const keys = [client.section, name] as const;
  const words = [
    ...requirePlain(client, launchWords(input, options, io)),
    ...(scope === "user" && input.options.workspace !== undefined
      ? requirePlain(client, ["-C", workspace])
      : (client.workspaceWords ?? [])),
  ];
  const found = findSettings(client, keys, placeOf(scope, workspace, io));
  return { client, scope, name, words, keys, entry: client.toEntry(words), ...found };
}

/** Where a client's settings are on this machine. */
export function placeOf(scope: ClientScope, workspace: string, io: Io): ClientPlace {
  const { environment } = io;
  return { scope, workspace, environment, home: environment.HOME || homedir() };
}

// The settings file that has the entry, or else should get it.
function findSettings(
  client: McpClient,
  keys: readonly string[],
  place: ClientPlace,
): Pick<Installation, "file" | "settings"> {
  const files = client.files(place);
  const present = files.filter((path) => existsSync(path));
  const candidates = (present.length > 0 ? present : files.slice(-1)).map((path) =>
    readSettings(client, path),
  );
  const chosen =
    candidates.find(({ settings }) => valueAt(settings, keys) !== undefined) ?? candidates[0];
  if (chosen === undefined) throw new Error(`${client.title} has no settings file.`);
  return chosen;
}

function readSettings(client: McpClient, path: string): Pick<Installation, "file" | "settings"> {
  const file = readSettingsFile(path);
  try {
    return { file, settings: client.format.read(file.text ?? "") };
  } catch (error) {
    throw new ToolError(
      "failed",
      `${path} is not as ${client.title} needs it, and was left alone: ${(error as Error).message}`,
    );
  }
}

function readScope({ options }: CommandInput, client: McpClient): ClientScope {
  const scope = options.scope ?? client.usualScope;
  if (scope === "user" || scope === "project") return scope;
  throw new UsageError(
    `--scope: there is no scope ${JSON.stringify(scope)} to install in. Scopes: user, project.`,
  );
}

// It becomes part of the tools' names, and those are short and plain everywhere.
function readName({ options }: CommandInput): string {
  const name = options.name ?? "haft";
  if (typeof name === "string" && /^[a-z][a-z\d_-]{0,19}$/iu.test(name)) return name;
  throw new UsageError(
    `--name: ${JSON.stringify(name)} is no name. A letter, then up to 19 letters, digits, _ and -.`,
  );
}

function requirePlain({ title, expands }: McpClient, words: readonly string[]): readonly string[] {
  const changed = words.find((word) => expands?.test(word));
  if (changed === undefined) return words;
  throw new UsageError(
    `${title} would put a variable's value into ${JSON.stringify(changed)}; say it without.`,
  );
}
