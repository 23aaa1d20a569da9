import { isDeepStrictEqual } from "node:util";
import { type JsonValue, ToolError } from "@haft/contract";
import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import type { McpClient } from "./clients/client.ts";
import { mcpClients } from "./clients/index.ts";
import { type Installation, planInstallation } from "./clients/installation.ts";
import { listClients } from "./clients/list-clients.ts";
import { findRemoteEndpoint } from "./clients/remote-endpoint.ts";
import { writeSettingsFile } from "./clients/settings-file.ts";
import { valueAt, withEntry } from "./clients/settings-format.ts";

/** `haft mcp install`: adds Haft to the settings of a client, or prints the entry for them. */
export async function installMcp(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const [id] = input.positionals;
  if (id === undefined) return listClients(options, io);
  const client = readClient(id);
  const remote = await findRemoteEndpoint(input, io);
  const planned = planInstallation(client, { input, options, remote }, io);
  return input.options.print === true
    ? printEntry(planned, options, io)
    : writeEntry(planned, options, io);
}

function readClient(id: string): McpClient {
  const found = mcpClients.find((client) => client.id === id);
  if (found !== undefined) return found;
  const known = mcpClients.map((client) => client.id).join(", ");
  throw new UsageError(`There is no client ${JSON.stringify(id)}. Clients: ${known}.`);
}

function printEntry(planned: Installation, options: CommonOptions, io: Io): number {
  const { client, name, words, scope, file } = planned;
  const snippet = toSnippet(planned, planned.entry);
  const isProgram = planned.remote === undefined;
  const add = isProgram ? client.addCommand?.(name, words, scope) : undefined;
  const command = add?.map(quote).join(" ");
  if (options.json) {
    printJson(
      { ...toFacts(planned), snippet, command: command ?? null, own_tools_off: client.ownToolsOff },
      io,
    );
    return 0;
  }
  io.out(toVisibleText(snippet));
  io.error(`${toVisibleLine(`haft: add this to ${file.path}; nothing was written.`)}\n`);
  if (command !== undefined) io.error(`${toVisibleLine(`haft: or: ${command}`)}\n`);
  if (!isProgram) return 0;
  io.error(
    `${toVisibleLine(`haft: to switch off ${client.title}'s own tools: ${client.ownToolsOff}.`)}\n`,
  );
  return 0;
}

async function writeEntry(planned: Installation, options: CommonOptions, io: Io): Promise<number> {
  const { entry, keys, file } = planned;
  const previous = valueAt(planned.settings, keys);
  const isThere = isWithin(entry, previous);
  const isRefused = previous !== undefined && !isThere && !options.yes;
  const changed = !isThere && !isRefused;
  if (changed) await write(planned);
  if (options.json) {
    printJson({ ...toFacts(planned), previous: previous ?? null, changed }, io);
  } else if (isThere) {
    io.out(`${toVisibleLine(`Already in ${file.path}: ${keys.join(".")}`)}\n`);
  } else if (changed) {
    tellOfChange(planned, previous, io);
  }
  if (isRefused && !options.json) {
    io.out(toVisibleText(toSnippet(planned, previous as JsonValue)));
  }
  if (!isRefused) return 0;
  const what = `${file.path} already has a different ${keys.join(".")}; nothing was changed.`;
  io.error(
    `${toVisibleLine(`haft: ${what} --yes replaces it; --name adds this one under another name.`)}\n`,
  );
  return 1;
}

async function write({ client, keys, entry, file, settings, scope }: Installation): Promise<void> {
  const text = setEntry();
  // The file may contain secrets of other servers.
  await writeSettingsFile(file, text, { mode: scope === "user" ? 0o600 : 0o644 });

  function setEntry(): string {
    try {
      const after = client.format.set(file.text ?? "", keys, entry);
      const isRight = isSame(client.format.read(after), withEntry(settings, keys, entry));
      if (isRight) return after;
      throw new Error("its format cannot be edited automatically");
    } catch (error) {
      const why = (error as Error).message.split("\n", 1)[0];
      const remedy = `haft mcp install ${client.id} --print shows what to add by hand`;
      throw new ToolError("failed", `${file.path} was not changed: ${why}. ${remedy}.`);
    }
  }
}

function tellOfChange(planned: Installation, previous: unknown, io: Io): void {
  const { client, name, scope, keys, file, words } = planned;
  const print = (line: string): void => io.out(`${toVisibleLine(line)}\n`);
  const own = client.removeCommand?.(name, scope);
  const byHand = `remove ${JSON.stringify(name)} from ${client.section} in ${file.path}`;
  if (previous === undefined) {
    print(`${file.text === undefined ? "Created" : "Added to"} ${file.path}: ${keys.join(".")}`);
  } else {
    print(`Replaced in ${file.path}: ${keys.join(".")}, which was`);
    io.out(toVisibleText(toSnippet(planned, previous as JsonValue)));
  }
  if (planned.remote !== undefined) {
    const { url, keyVariable } = planned.remote;
    print(`It connects to ${url}`);
    print(`Start ${client.title} with an API key in the environment variable ${keyVariable}.`);
  } else {
    print(`It starts: ${words.map(quote).join(" ")}`);
    print("With --yes the client asks for approval, not Haft. Rules that deny still apply.");
    print(`To have its model use Haft's tools, switch off ${client.title}'s own.`);
    print(`  ${client.ownToolsOff}.`);
  }
  const remark = client.remark?.(scope);
  if (remark !== undefined) print(remark);
  if (previous === undefined) print(`To undo: ${own?.map(quote).join(" ") ?? byHand}`);
}

function toFacts({ client, scope, name, file, entry }: Installation): Record<string, JsonValue> {
  return { client: client.id, scope, name, path: file.path, entry };
}

function toSnippet({ client, keys }: Installation, entry: JsonValue): string {
  return client.format.set("", keys, entry);
}

// Further keys that a person added to the entry do not matter.
function isWithin(entry: Readonly<Record<string, JsonValue>>, present: unknown): boolean {
  return Object.entries(entry).every(([key, value]) => isSame(valueAt(present, [key]), value));
}

// Parsers create objects with different prototypes; only the content counts.
function isSame(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(structuredClone(one), structuredClone(other));
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
