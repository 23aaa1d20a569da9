import { isPlainObject } from "@haft/contract/internal";
import { isServerName } from "../definition/tool-id.ts";
import type { ServerSettings } from "../store/mcp-server-entry.ts";

/** A server from another program's settings. */
export interface ImportedServer {
  readonly name: string;
  readonly settings: ServerSettings;
}

/** The servers in another program's settings. */
export interface ImportedServers {
  readonly servers: readonly ImportedServer[];
  /** Servers that can't be imported, and why. */
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
}

// The keys under which programs keep their servers.
const sections: readonly string[] = [
  "mcpServers",
  "mcp_servers",
  "servers",
  "context_servers",
  "mcp",
];

/**
 * Reads the servers out of settings of Claude, Cursor, Codex, Gemini CLI, opencode, VS Code or Zed,
 * or out of a `.mcp.json`.
 */
export function readClientServers(settings: unknown, workspace: string): ImportedServers {
  const servers: ImportedServer[] = [];
  const skipped: { name: string; why: string }[] = [];
  for (const [given, value] of findServers(settings)) {
    const name = toServerName(given);
    const read = isPlainObject(value) ? readServer(value, workspace) : "is not a server";
    if (name === undefined)
      skipped.push({ name: given, why: "its name can't be converted to a server name" });
    else if (typeof read === "string") skipped.push({ name: given, why: read });
    else if (servers.some((one) => one.name === name)) {
      skipped.push({ name: given, why: "another has the same name" });
    } else servers.push({ name, settings: read });
  }
  return { servers, skipped };
}

function findServers(settings: unknown): [string, unknown][] {
  if (!isPlainObject(settings)) return [];
  const found = sections.map((section) => settings[section]).find(isPlainObject);
  // VS Code's settings.json has them one level deeper.
  const inner = isPlainObject(found?.servers) ? found.servers : found;
  return Object.entries(inner ?? {});
}

type Fields = Readonly<Record<string, unknown>>;

function readServer(fields: Fields, workspace: string): ServerSettings | string {
  if (fields.disabled === true || fields.enabled === false) return "it is disabled there";
  const url = [fields.url, fields.httpUrl, fields.serverUrl].find((one) => typeof one === "string");
  if (typeof url === "string") return readRemote(fields, url);
  const nested = isPlainObject(fields.command) ? fields.command : fields;
  const given = Array.isArray(nested.command) ? nested.command : [nested.command ?? nested.path];
  const [command, ...first] = texts(given);
  if (command === undefined) return "it has neither a command nor a URL";
  const place = (text: string): string =>
    text.replaceAll(/\$\{(?:workspaceFolder|workspaceRoot)\}/gu, workspace);
  const args = [...first, ...texts(nested.args)].map(place);
  if (/(?:^|\/)haft(?:\.js)?$/u.test(command) && args.includes("mcp")) return "it is Haft itself";
  const env = readTexts(nested.env ?? nested.environment ?? fields.env);
  const names = texts(fields.env_vars);
  return {
    type: "stdio",
    command: place(command),
    args,
    env: mapValues(env, place),
    passEnv: names,
    reads: [],
    hosts: [],
  };
}

function readRemote(fields: Fields, url: string): ServerSettings | string {
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== "https:" && protocol !== "http:") return "its URL is not http or https";
  if (fields.type === "sse" || fields.transport === "sse") {
    return "it uses the deprecated SSE transport";
  }
  const token = fields.bearer_token_env_var;
  const variables = Object.entries(readTexts(fields.env_http_headers));
  const headers = {
    ...readTexts(fields.headers ?? fields.http_headers),
    ...Object.fromEntries(variables.map(([header, name]) => [header, `\${${name}}`])),
    ...(typeof token === "string" && { Authorization: `Bearer \${${token}}` }),
  };
  return { type: "http", url, headers, hosts: [] };
}

function toServerName(given: string): string | undefined {
  const name = given
    .replaceAll(/[^a-zA-Z0-9_-]+/gu, "-")
    .replaceAll(/_{2,}/gu, "_")
    .replace(/^[-_]+/u, "")
    .slice(0, 31)
    .replace(/_+$/u, "");
  return isServerName(name) ? name : undefined;
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function readTexts(value: unknown): Record<string, string> {
  if (!isPlainObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      typeof item === "string" || typeof item === "number" ? [[key, String(item)]] : [],
    ),
  );
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
