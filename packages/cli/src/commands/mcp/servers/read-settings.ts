import { resolve } from "node:path";
import type { ServerSettings, StdioSettings } from "@haft/connect/mcp-client";
import type { CommandInput } from "../../../command.ts";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { UsageError } from "../../../usage-error.ts";

/** Reads the settings of a server: an address, or a command. */
export function readSettings(
  { options: given, positionals }: CommandInput,
  options: CommonOptions,
  io: Io,
): ServerSettings {
  const [target = "", ...args] = positionals;
  const list = (name: string): string[] => (given[name] as string[] | undefined) ?? [];
  if (/^https?:\/\//iu.test(target)) {
    if (args.length > 0) throw new UsageError(`Unexpected argument after the address: ${args[0]}.`);
    refuse(
      given,
      ["env", "read", "write", "no-write"],
      "applies only to servers that are programs",
    );
    const clientId = given["client-id"];
    return {
      type: "http",
      url: readAddress(target),
      headers: readHeaders(list("header")),
      hosts: options.allowHosts,
      ...(typeof clientId === "string" && { clientId }),
    };
  }
  refuse(given, ["header", "client-id"], "applies only to remote servers");
  const directories = (name: string): string[] =>
    list(name).map((path) => resolve(io.directory, path));
  const writes = given["no-write"] === true ? [] : directories("write");
  return {
    type: "stdio",
    // A path is meant from here, but the server starts in the workspace.
    command: target.includes("/") ? resolve(io.directory, target) : target,
    args,
    env: readVariables(list("env")),
    passEnv: options.passVariables,
    reads: directories("read"),
    ...((given["no-write"] === true || writes.length > 0) && { writes }),
    hosts: options.allowHosts,
    ...(given.sandbox !== undefined && { sandbox: options.sandbox }),
  } satisfies StdioSettings;
}

function refuse(given: CommandInput["options"], names: readonly string[], why: string): void {
  const found = names.find((name) => given[name] !== undefined);
  if (found !== undefined) throw new UsageError(`--${found} ${why}.`);
}

function readAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null) throw new UsageError(`${text} is not a valid address.`);
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      "The address contains a user or password. Pass them in a --header instead.",
    );
  }
  return url.href;
}

function readVariables(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/su.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new UsageError(`--env takes NAME=VALUE, not ${JSON.stringify(line.split("=", 1)[0])}.`);
    }),
  );
}

function readHeaders(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(\S.*)$/u.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name, value.trim()];
      throw new UsageError("--header takes 'NAME: VALUE', such as 'Authorization: Bearer …'.");
    }),
  );
}
