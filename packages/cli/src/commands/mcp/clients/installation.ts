import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type JsonValue, ToolError } from "@haft/contract";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { UsageError } from "../../../usage-error.ts";
import type { ClientContext, ClientScope, McpClient } from "./client.ts";
import { type Launch, launchWords } from "./launch-words.ts";
import type { RemoteEndpoint } from "./remote-endpoint.ts";
import { readSettingsFile, type SettingsFile } from "./settings-file.ts";
import { valueAt } from "./settings-format.ts";

/** An entry to install in a client's settings. */
export interface Installation {
  readonly client: McpClient;
  readonly scope: ClientScope;
  readonly name: string;
  /** The command that the client starts. Empty for a remote server. */
  readonly words: readonly string[];
  readonly remote?: RemoteEndpoint;
  readonly keys: readonly [section: string, name: string];
  readonly entry: Readonly<Record<string, JsonValue>>;
  readonly file: SettingsFile;
  /** The current settings of the file. */
  readonly settings: unknown;
}

/** A command line, as it was given and as it was read. */
export interface GivenOptions {
  readonly input: CommandInput;
  readonly options: CommonOptions;
  /** A remote server to install instead of a program. */
  readonly remote?: RemoteEndpoint | undefined;
}

/** Determines what to install where, without changing anything. */
export function planInstallation(client: McpClient, given: GivenOptions, io: Io): Installation {
  const { input, options, remote } = given;
  const scope = readScope(input, client);
  const name = readName(input, remote);
  const workspace = resolve(io.directory, options.workspace);
  const keys = [client.section, name] as const;
  if (remote !== undefined) {
    const entry = toRemoteEntry(client, remote);
    const found = findSettings(client, keys, contextOf(scope, workspace, io));
    return { client, scope, name, words: [], remote, keys, entry, ...found };
  }
  const launch = { client, scope, workspace };
  const words = [
    ...requirePlain(client, launchWords({ input, options }, launch, io)),
    ...placeWords(input, launch),
  ];
  const found = findSettings(client, keys, contextOf(scope, workspace, io));
  return { client, scope, name, words, keys, entry: client.toEntry(words), ...found };
}

function toRemoteEntry(
  client: McpClient,
  { url, keyVariable }: RemoteEndpoint,
): Installation["entry"] {
  if (client.toRemoteEntry !== undefined) return client.toRemoteEntry(url, keyVariable);
  throw new UsageError(
    `${client.title} can't read a key from an environment variable, and Haft writes no key into settings. Add the server ${url} by hand.`,
  );
}

// Where the client is to start the server, if not in the project that it has opened.
function placeWords({ options }: CommandInput, { client, scope, workspace }: Launch): string[] {
  const isNamed = scope === "user" && options.workspace !== undefined;
  if (isNamed || client.isPlaceless) return ["-C", ...requirePlain(client, [workspace])];
  return client.workspaceVariable === undefined ? [] : ["-C", client.workspaceVariable];
}

/** Returns the settings files of a client on this machine. */
export function contextOf(scope: ClientScope, workspace: string, io: Io): ClientContext {
  const { environment } = io;
  return { scope, workspace, environment, home: environment.HOME || homedir() };
}

// The settings file that has the entry, else the one to write it to.
function findSettings(
  client: McpClient,
  keys: readonly string[],
  context: ClientContext,
): Pick<Installation, "file" | "settings"> {
  const files = client.files(context);
  if (files.length === 0) {
    throw new UsageError(
      `--scope: ${client.title} has no settings of a ${context.scope}. Scopes: ${client.usualScope}.`,
    );
  }
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
      `${path} is not a valid settings file of ${client.title} and was not changed: ${(error as Error).message}`,
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

// It becomes part of tool names, which clients limit in length and characters.
function readName({ options }: CommandInput, remote: RemoteEndpoint | undefined): string {
  const form = /^[a-z][a-z\d_-]{0,19}$/iu;
  if (options.name === undefined && remote !== undefined) {
    return form.test(remote.set ?? "") ? (remote.set as string) : "haft-tools";
  }
  const name = options.name ?? "haft";
  if (typeof name === "string" && form.test(name)) return name;
  throw new UsageError(
    `--name: ${JSON.stringify(name)} is not a valid name: use a letter, then up to 19 letters, digits, _ and -.`,
  );
}

function requirePlain({ title, expands }: McpClient, words: readonly string[]): readonly string[] {
  const changed = words.find((word) => expands?.test(word));
  if (changed === undefined) return words;
  throw new UsageError(
    `${title} would replace a variable in ${JSON.stringify(changed)}. Write it without the variable.`,
  );
}
