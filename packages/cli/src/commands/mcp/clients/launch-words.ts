import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { findOnPath } from "@haft/computer/internal";
import { isInside } from "@haft/contract/internal";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { UsageError } from "../../../usage-error.ts";
import type { ClientScope, McpClient } from "./client.ts";

/** Which client starts the server, and whose settings say so. */
export interface Launch {
  readonly client: McpClient;
  readonly scope: ClientScope;
  readonly workspace: string;
}

/** Returns the command line that starts `haft mcp` with the given options. */
export function launchWords(
  { input, options }: { readonly input: CommandInput; readonly options: CommonOptions },
  launch: Launch,
  io: Io,
): readonly string[] {
  const { client, scope } = launch;
  const { dialect } = input.options;
  return [
    // A project's settings are shared, so they must not name a path of this machine.
    ...(scope === "project" ? ["npx", "haft"] : programWords(io)),
    // The client asks its user itself, and most clients offer no way for Haft to ask.
    ...["mcp", "--yes"],
    ...(dialect === undefined && client.dialect !== undefined ? ["--dialect", client.dialect] : []),
    ...optionWords(input.options, shareOptions(options, launch), io),
  ];
}

// Paths in a project's settings are relative to the project.
function shareOptions(options: CommonOptions, { scope, workspace }: Launch): CommonOptions {
  if (scope === "user") return options;
  const share = (path: string): string => {
    if (isInside(workspace, path)) return `./${relative(workspace, path)}`;
    throw new UsageError(
      `${path} is outside the project, whose settings others share. Move it into the project, or install with --scope user.`,
    );
  };
  const { roots, hooks, mounts, watchdog } = options;
  return {
    ...options,
    roots: { readOnly: roots.readOnly.map(share), writable: roots.writable.map(share) },
    hooks: hooks.map((one) => ({ ...one, path: share(one.path) })),
    mounts: mounts.map(share),
    watchdog: watchdog === undefined ? undefined : share(watchdog),
  };
}

// The client has its own PATH, so only the name is written if it resolves to this program.
function programWords({ environment }: Io): readonly string[] {
  const program = join(
    dirname(createRequire(import.meta.url).resolve("@haft/cli/package.json")),
    "bin",
    "haft.js",
  );
  // The entries that npm adds to the PATH of a script are absent when the client runs.
  const lasting = (environment.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join(sep, "node_modules", ".bin")))
    .join(delimiter);
  const isOnPath =
    isSame(findOnPath("haft", lasting), program) &&
    isSame(findOnPath("node", lasting), process.execPath);
  return isOnPath ? ["haft"] : [process.execPath, program];
}

function isSame(found: string | undefined, wanted: string): boolean {
  return found !== undefined && realpathSync(found) === realpathSync(wanted);
}

// Only given options are written, so that defaults stay the server's own. Variables that make things
// safer are written too, because a client may not pass its environment on.
function optionWords(
  given: CommandInput["options"],
  options: CommonOptions,
  { environment }: Io,
): string[] {
  const said = (name: string, values: readonly string[]): string[] =>
    given[name] === undefined ? [] : values.flatMap((value) => optionWord(name, value));
  return [
    ...said("root", [
      ...options.roots.readOnly,
      ...options.roots.writable.map((path) => `${path}:rw`),
    ]),
    ...said("dialect", [options.dialect.name]),
    ...said("session", [options.session]),
    ...(given.sandbox || environment.HAFT_SANDBOX ? optionWord("sandbox", options.sandbox) : []),
    ...said("review", [options.review]),
    ...said("rule", given.rule as string[]),
    ...said("allow-host", options.allowHosts),
    ...said("pass-env", options.passVariables),
    ...(options.watchdog === undefined ? [] : optionWord("watchdog", options.watchdog)),
    ...said(
      "hooks",
      options.hooks.map(({ path, format }) => (format === undefined ? path : `${format}:${path}`)),
    ),
    ...said("mount", options.mounts),
    ...said("max-definition-tokens", [String(options.maxDefinitionTokens)]),
    ...said("tools", [options.tools?.join(",") ?? ""]),
    ...(given["read-only"] === true ? ["--read-only"] : []),
    ...(given.structured === true ? ["--structured"] : []),
    ...said("max-bytes", [given["max-bytes"] as string]),
    ...(options.code ? ["--code"] : []),
  ];
}

function optionWord(name: string, value: string): string[] {
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}
