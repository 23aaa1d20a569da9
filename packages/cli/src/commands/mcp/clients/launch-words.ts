import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, sep } from "node:path";
import { findOnPath } from "@haft/computer/internal";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";

/** Returns the command line that starts `haft mcp` on this machine with the given options. */
export function launchWords(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): readonly string[] {
  // The client asks its user itself, and most clients offer no way for Haft to ask.
  return [...programWords(io), "mcp", "--yes", ...optionWords(input.options, options, io)];
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
    ...said("mount", options.mounts),
    ...said("max-definition-tokens", [String(options.maxDefinitionTokens)]),
    ...said("tools", [options.tools?.join(",") ?? ""]),
    ...(given["read-only"] === true ? ["--read-only"] : []),
    ...(given.structured === true ? ["--structured"] : []),
    ...said("max-bytes", [given["max-bytes"] as string]),
  ];
}

function optionWord(name: string, value: string): string[] {
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}
