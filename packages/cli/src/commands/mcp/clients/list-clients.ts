import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { toVisibleLine } from "@haft/core";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { printJson } from "../../../terminal/print-result.ts";
import type { ClientScope, McpClient } from "./client.ts";
import { findOnPath } from "./find-on-path.ts";
import { mcpClients } from "./index.ts";
import { placeOf } from "./installation.ts";
import { readSettingsFile } from "./settings-file.ts";
import { valueAt } from "./settings-format.ts";

/** Shows the clients there are, which of them this machine has, and which have us. */
export function listClients(options: CommonOptions, io: Io): number {
  const clients = mcpClients.map((client) => lookAt(client, options, io));
  if (options.json) {
    printJson({ clients }, io);
    return 0;
  }
  for (const { client, program, settings, installed } of clients) {
    const found = program ?? settings[0] ?? "not found";
    const has = installed.length === 0 ? "" : `  has haft: ${installed.join(", ")}`;
    io.out(`${toVisibleLine(`${client.padEnd(9)} ${found}${has}`)}\n`);
  }
  io.out("\nhaft mcp install CLIENT writes its settings; with --print it only shows them.\n");
  return 0;
}

interface ClientFacts {
  readonly client: string;
  readonly title: string;
  readonly program: string | null;
  /** The settings files there are. */
  readonly settings: readonly string[];
  /** The settings files that name us. */
  readonly installed: readonly string[];
}

function lookAt(client: McpClient, options: CommonOptions, io: Io): ClientFacts {
  const workspace = resolve(io.directory, options.workspace);
  const settings = (["user", "project"] satisfies ClientScope[])
    .flatMap((scope) => client.files(placeOf(scope, workspace, io)))
    .filter((path) => existsSync(path));
  const [program] = client.programs.flatMap((name) => findOnPath(name, io.environment.PATH) ?? []);
  return {
    client: client.id,
    title: client.title,
    program: program ?? null,
    settings,
    installed: settings.filter((path) => hasEntry(client, path)),
  };
}

// What can't be read is told about when it is to be changed.
function hasEntry({ format, section }: McpClient, path: string): boolean {
  try {
    const settings = format.read(readSettingsFile(path).text ?? "");
    return valueAt(settings, [section, "haft"]) !== undefined;
  } catch {
    return false;
  }
}
