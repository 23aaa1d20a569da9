import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { findOnPath } from "@haft/computer/internal";
import { toVisibleLine } from "@haft/core/internal";
import type { Io } from "../../../io.ts";
import type { CommonOptions } from "../../../options/common-options.ts";
import { printJson } from "../../../terminal/print-result.ts";
import type { ClientScope, McpClient } from "./client.ts";
import { mcpClients } from "./index.ts";
import { contextOf } from "./installation.ts";
import { readSettingsFile } from "./settings-file.ts";
import { valueAt } from "./settings-format.ts";

/** Lists the clients, whether this machine has them, and where Haft is installed. */
export function listClients(options: CommonOptions, io: Io): number {
  const clients = mcpClients.map((client) => lookAt(client, options, io));
  if (options.json) {
    printJson({ clients }, io);
    return 0;
  }
  for (const { client, program, settings, installed } of clients) {
    const found = program ?? settings[0] ?? "not found";
    const has = installed.length === 0 ? "" : `  haft is in: ${installed.join(", ")}`;
    io.out(`${toVisibleLine(`${client.padEnd(9)} ${found}${has}`)}\n`);
  }
  io.out(
    "\nTo write a client's settings: haft mcp install CLIENT. To only show the entry, add --print.\n",
  );
  return 0;
}

interface ClientFacts {
  readonly client: string;
  readonly title: string;
  readonly program: string | null;
  /** The settings files that exist. */
  readonly settings: readonly string[];
  /** The settings files that contain Haft. */
  readonly installed: readonly string[];
}

function lookAt(client: McpClient, options: CommonOptions, io: Io): ClientFacts {
  const workspace = resolve(io.directory, options.workspace);
  const settings = (["user", "project"] satisfies ClientScope[])
    .flatMap((scope) => client.files(contextOf(scope, workspace, io)))
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

// An unreadable file is reported when it is changed.
function hasEntry({ format, section }: McpClient, path: string): boolean {
  try {
    const settings = format.read(readSettingsFile(path).text ?? "");
    return valueAt(settings, [section, "haft"]) !== undefined;
  } catch {
    return false;
  }
}
