import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type {
  Invocation,
  LatestVersion,
  PlatformClient,
  Tool,
  ToolVersion,
} from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { describeCanary } from "./canary.ts";
import { requireTool } from "./require-tool.ts";
import { showTime, showVersion } from "./show-time.ts";
import { markVersion } from "./versions.ts";

const maxVersions = 10;
const maxMoves = 5;
const maxInvocations = 5;
const maxSchemaCharacters = 2_000;

/** `haft tool show`: a tool with its versions, schemas, hosts and last invocations. */
export async function showTool(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const client = openClient(input, io);
  const shown = await read(await requireTool(name, client), client);
  if (input.options.json === true) {
    const { tool, versions, latest, invocations } = shown;
    printJson({ ...tool, versions, ...latest, invocations: invocations ?? null }, io);
  } else io.out(describe(shown));
  return 0;
}

interface ShownTool {
  readonly tool: Tool;
  /** The highest first. */
  readonly versions: readonly ToolVersion[];
  readonly hasMoreVersions: boolean;
  readonly latest: LatestVersion;
  /** Absent if the key may not read history. */
  readonly invocations: readonly Invocation[] | undefined;
}

async function read(tool: Tool, client: PlatformClient): Promise<ShownTool> {
  const [page, latest, history] = await Promise.all([
    client.versions.list(tool.id, { sort_by: ["-version"], limit: maxVersions }),
    client.versions.latest(tool.id),
    client.history
      .list({ tool_id: [tool.id], limit: maxInvocations })
      .catch((error: { readonly status?: unknown }) => {
        if (error.status === 403) return undefined;
        throw error;
      }),
  ]);
  return {
    ...{ tool, latest, versions: page.tool_versions, hasMoreVersions: page.has_more },
    invocations: history?.tool_invocations,
  };
}

function describe({ tool, versions, hasMoreVersions, latest, invocations }: ShownTool): string {
  const current =
    versions.find((each) => each.latest) ?? versions.find(({ deprecated }) => !deprecated);
  const { canary } = latest;
  const rows: readonly (readonly [string, string])[] = [
    ["ID", tool.id],
    [
      "Tags",
      tool.tags.map(({ key, value }) => (value === null ? key : `${key}=${value}`)).join(", "),
    ],
    ["Variables", tool.envvars.join(", ")],
    ["Secrets", tool.secret_envvars.join(", ")],
    ["Hosts", current?.allowed_hosts.join(", ") ?? ""],
    ["Simulation", current?.simulation_hosts.join(", ") ?? ""],
    ["Created", showTime(tool.created_at)],
    ["Changed", showTime(tool.updated_at)],
    ["Latest", latest.latest ?? "no version"],
    ...(canary === null ? [] : ([["Canary", describeCanary(canary)]] as const)),
  ];
  const isCanary = ({ version }: ToolVersion): boolean =>
    canary?.outcome === null && canary.version === showVersion(version);
  const state = tool.deprecated ? " (deprecated)" : "";
  const sections = [
    `${toVisibleLine(tool.name)}${state}: ${toVisibleText(tool.description)}`,
    rows.map(([label, value]) => `  ${label.padEnd(10)} ${toVisibleLine(value || "-")}`),
    section("Versions", [
      ...versions.map((each) => toRow(each, isCanary(each))),
      ...(hasMoreVersions ? [`… haft tool versions ${tool.name}`] : []),
    ]),
    section("Moves of latest", latest.moves.slice(0, maxMoves).map(toMove)),
    section("Input", current === undefined ? [] : [toSchema(current.input_schema)]),
    section("Output", current?.output_schema ? [toSchema(current.output_schema)] : []),
    section("Last invocations", (invocations ?? []).map(toLine)),
  ];
  return sections
    .map((lines) => [lines].flat().join("\n"))
    .filter((text) => text !== "")
    .join("\n\n")
    .concat("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${toVisibleLine(line)}`)];
}

function toRow(version: ToolVersion, isCanary: boolean): string {
  const marks = markVersion(version, isCanary).join(", ");
  const commit = version.tool_commit_hash.slice(0, 10);
  return [showVersion(version.version).padEnd(8), showTime(version.created_at), commit, marks]
    .join("  ")
    .trimEnd();
}

function toMove({ from, to, reason, user_id, created_at }: LatestVersion["moves"][number]): string {
  const move = `${from ?? "no version"} → ${to ?? "no version"}`;
  return `${showTime(created_at)}  ${move}  ${reason} by ${user_id}`;
}

function toSchema(schema: unknown): string {
  const text = JSON.stringify(schema);
  return text.length <= maxSchemaCharacters
    ? text
    : `${text.slice(0, maxSchemaCharacters)}… (--json shows all)`;
}

function toLine({
  id,
  created_at,
  invocation_status,
  tool_version,
  duration_ms,
}: Invocation): string {
  const state = invocation_status.succeeded ? "ok    " : "failed";
  return `${showTime(created_at)}  ${state}  ${showVersion(tool_version)}  ${duration_ms} ms  ${id}`;
}
