import { type McpServerEntry, type PinnedTool, toToolId } from "@haft/connect/mcp-client";

/** How a server is reached, in a line. Values of variables and headers are not in it. */
export function describeSettings({ settings }: McpServerEntry): string {
  if (settings.type === "http") {
    const names = Object.keys(settings.headers);
    return `${settings.url}${names.length === 0 ? "" : ` (with ${names.join(", ")})`}`;
  }
  const { command, args } = settings;
  return [command, ...args]
    .map((word) => (/[\s"']/u.test(word) ? JSON.stringify(word) : word))
    .join(" ");
}

/** What a server may do beside reading and writing the workspace, line by line. */
export function describeRights({ settings }: McpServerEntry): string[] {
  if (settings.type === "http") return [];
  const { reads, writes, hosts, env, passEnv, sandbox } = settings;
  const variables = [...Object.keys(env), ...passEnv];
  return [
    ...(sandbox === "off" ? ["It runs WITHOUT A SANDBOX, with all that you may do yourself."] : []),
    ...(reads.length === 0 ? [] : [`It reads ${reads.join(", ")}.`]),
    ...(writes === undefined
      ? []
      : [writes.length === 0 ? "It writes nowhere." : `It writes ${writes.join(", ")}.`]),
    ...(hosts.length === 0 ? [] : [`It reaches ${hosts.join(", ")}.`]),
    ...(variables.length === 0 ? [] : [`It is given ${variables.join(", ")}.`]),
  ];
}

/** A server as `--json` shows it, without what may be secret. */
export function toServerJson(entry: McpServerEntry): object {
  const { settings } = entry;
  const shown =
    settings.type === "http"
      ? { type: settings.type, url: settings.url, headers: Object.keys(settings.headers) }
      : {
          type: settings.type,
          command: settings.command,
          args: settings.args,
          env: [...Object.keys(settings.env), ...settings.passEnv],
          reads: settings.reads,
          ...(settings.writes !== undefined && { writes: settings.writes }),
          hosts: settings.hosts,
          ...(settings.sandbox !== undefined && { sandbox: settings.sandbox }),
        };
  return {
    name: entry.name,
    ...shown,
    tools: entry.tools.map((pin) => toToolJson(entry.name, pin)),
  };
}

function toToolJson(server: string, pin: PinnedTool): object {
  return {
    name: pin.name,
    id: toToolId(server, pin.name),
    state: pin.state,
    description: pin.description,
    ...(pin.fault !== undefined && { fault: pin.fault }),
  };
}
