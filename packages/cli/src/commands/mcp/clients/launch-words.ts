import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join, sep } from "node:path";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { findOnPath } from "./find-on-path.ts";

/** The words that start `haft mcp` on this machine, with the options that were given. */
export function launchWords(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): readonly string[] {
  // The client asks its user by itself, and most have no way for us to do so.
  return [...programWords(io), "mcp", "--yes", ...optionWords(input.options, options, io)];
}

// A client has its own PATH: just the name is written only if it means this very program.
function programWords({ environment }: Io): readonly string[] {
  const program = join(
    dirname(createRequire(import.meta.url).resolve("@haft/cli/package.json")),
    "bin",
    "haft.js",
  );
  // What npm puts on the PATH for the time of a script is not there when the client looks.
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

// Only what was said is written, so that defaults stay the server's own. What a variable says counts
// too where it makes things safer: a client need not hand its variables on.
function optionWords(
  given: CommandInput["options"],
  options: CommonOptions,
  { environment }: Io,
): string[] {
  const said = (name: string, values: readonly string[]): string[] =>
    given[name] === undefined ? [] : values.flatMap((value) => optionWord(name, value));
  return [
    ...said("dialect", [options.dialect.name]),
    ...said("session", [options.session]),
    ...(given.sandbox || environment.HAFT_SANDBOX ? optionWord("sandbox", options.sandbox) : []),
    ...said("rule", given.rule as string[]),
    ...said("allow-host", options.allowHosts),
    ...said("pass-env", options.passVariables),
    ...(options.watchdog === undefined ? [] : optionWord("watchdog", options.watchdog)),
    ...said("mount", options.mounts),
    ...said("tools", [options.tools?.join(",") ?? ""]),
    ...(given["read-only"] === true ? ["--read-only"] : []),
  ];
}

function optionWord(name: string, value: string): string[] {
  return value.startsWith("-") ? [`--${name}=${value}`] : [`--${name}`, value];
}
