import { sql } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { findAllowedTools, mayOnTool } from "../auth/tool-access.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { isAmong } from "../store/is-among.ts";
import type { ToolSet } from "../tools/tool-set-schemas.ts";
import { noSuchSet, type ToolSets } from "../tools/tool-sets.ts";
import type { VersionResolver } from "../versions/resolved-version.ts";
import type { Invoker } from "./create-invoker.ts";
import type { InvocationResult } from "./invoke-request.ts";
import type { OfferedCall, OfferedTool, ToolOffer } from "./tool-offer.ts";

/** Who asks for an offer. */
export interface OfferRequest {
  readonly principal: Principal;
  /** The name of a tool set. Default: all tools that the caller may invoke. */
  readonly set?: string | undefined;
  /** The `User-Agent`, for clients that do not name themselves in their calls. */
  readonly userAgent?: string | undefined;
}

/** The services that offers use. */
export interface OfferParts extends Pick<PlatformParts, "store"> {
  readonly sets: Pick<ToolSets, "require">;
  readonly versions: VersionResolver;
  readonly invoker: Pick<Invoker, "prepare">;
  /** Throws a `Problem` if no worker can run tools now. */
  readonly requireWorkers?: (() => Promise<void>) | undefined;
}

/** A tool as an offer names it. */
interface Entry {
  readonly name: string;
  readonly toolId: string;
  readonly version: string;
  readonly description: readonly string[];
}

/** Entries in a fixed order. */
interface Catalog {
  readonly instructions?: string;
  /** Entries behind a cursor, each with the cursor behind it; `undefined` for a wrong cursor. */
  page(
    cursor: string | undefined,
    limit: number,
  ): Promise<readonly (readonly [cursor: string, entry: Entry])[] | undefined>;
  find(name: string): Promise<Entry | undefined>;
}

const pageSize = 50;

/** Opens what a caller may list and call: all tools that it may invoke, or those of a set. */
export async function openToolOffer(
  parts: OfferParts,
  { principal, set, userAgent }: OfferRequest,
): Promise<ToolOffer> {
  const { organization } = principal;
  const catalog =
    set === undefined
      ? listAllTools(parts, principal)
      : await listSetTools(parts, principal, await parts.sets.require(organization, set));

  const describe = async ({
    name,
    toolId,
    version,
    description,
  }: Entry): Promise<OfferedTool[]> => {
    try {
      const { manifest } = await parts.versions.resolve(organization, toolId, version);
      const { inputSchema, outputSchema } = manifest;
      return [{ name, description, inputSchema, outputSchema }];
    } catch (error) {
      // There is no such version, so it can't be called either.
      if (error instanceof Problem && error.status < 500) return [];
      throw error;
    }
  };

  const call = async ({ name, arguments: args, client, ...options }: OfferedCall) => {
    const entry = await catalog.find(name);
    if (entry === undefined) return undefined;
    try {
      await parts.requireWorkers?.();
      const { toolId, version } = entry;
      const none = { nonsensitive_user_variables: {}, sensitive_user_variables: {} };
      const input = { input_parameters: args, invocation_mode: "regular", ...none } as const;
      const ready = await parts.invoker.prepare({
        ...{ principal, toolId, version, request: { inputs: [input] } },
        ...{ client: client ?? userAgent, via: "mcp" },
      });
      const [result] = await ready.run({
        signal: options.signal,
        onStatus: (_index, event) => options.onStatus(event),
      });
      return toResult(result as InvocationResult);
    } catch (error) {
      if (error instanceof Problem) return { text: error.message, isError: true };
      throw error;
    }
  };

  return {
    instructions: catalog.instructions,
    list: async (cursor) => {
      const found = await catalog.page(cursor, pageSize + 1);
      if (found === undefined) return undefined;
      const shown = found.slice(0, pageSize);
      const tools = await Promise.all(shown.map(([, entry]) => describe(entry)));
      const nextCursor = found.length > pageSize ? shown.at(-1)?.[0] : undefined;
      return { tools: tools.flat(), nextCursor };
    },
    call,
  };
}

/** Every tool that the caller may invoke, by name. */
function listAllTools({ store }: OfferParts, principal: Principal): Catalog {
  const live = store.db
    .selectFrom("tools")
    .select(["id", "name", "description"])
    .where("org_id", "=", principal.organization)
    .where("deprecated", "=", 0);
  const toEntry = (tool: { id: string; name: string; description: string }): Entry => ({
    name: toOfferedName(tool.name),
    toolId: tool.id,
    version: "latest",
    description: [tool.description],
  });
  return {
    page: async (cursor, limit) => {
      const after = cursor === undefined ? "" : Buffer.from(cursor, "base64url").toString();
      if (cursor !== undefined && !/^[a-z0-9_]+$/u.test(after)) return undefined;
      const allowed = await findAllowedTools(principal, ["Tool:InvokeTool"]);
      // The same order in every database, whatever language it was set up for.
      const byBytes = store.kind === "postgres" ? sql`name collate "C"` : sql`name`;
      const rows = await live
        .where(sql<boolean>`${byBytes} > ${after}`)
        .$if(allowed !== undefined, (query) =>
          query.where(isAmong(store, "id", allowed ?? new Set())),
        )
        .orderBy(byBytes)
        .limit(limit)
        .execute();
      return rows.map((tool) => [Buffer.from(tool.name).toString("base64url"), toEntry(tool)]);
    },
    find: async (name) => {
      const own = /^_\d/u.test(name) ? [name, name.slice(1)] : [name];
      const rows = await live.where("name", "in", own.filter(isStorable)).execute();
      const tool = rows.find((each) => toOfferedName(each.name) === name);
      if (tool === undefined) return undefined;
      return (await mayOnTool(principal, "Tool:InvokeTool", tool.id)) ? toEntry(tool) : undefined;
    },
  };
}

/** The tools of a set that the caller may invoke, in the set's order and under its names. */
async function listSetTools(
  { store }: OfferParts,
  principal: Principal,
  set: ToolSet,
): Promise<Catalog> {
  const allowed = await findAllowedTools(principal, ["Tool:InvokeTool"]);
  const own = set.tools.filter(({ tool_id }) => allowed?.has(tool_id) ?? true);
  if (own.length === 0 && allowed !== undefined) throw noSuchSet(set.name);
  const ids = own.map(({ tool_id }) => tool_id);
  const rows =
    ids.length === 0
      ? []
      : await store.db
          .selectFrom("tools")
          .select(["id", "description"])
          .where(isAmong(store, "id", new Set(ids)))
          .where("deprecated", "=", 0)
          .execute();
  const descriptions = new Map(rows.map(({ id, description }) => [id, description]));
  const entries = own.flatMap(({ tool_id, tool_name, name, version, instructions }): Entry[] => {
    const description = descriptions.get(tool_id);
    if (description === undefined) return [];
    const offered = name ?? toOfferedName(tool_name);
    return [{ name: offered, toolId: tool_id, version, description: [description, instructions] }];
  });
  return {
    instructions: set.instructions,
    page: async (cursor = "0", limit) => {
      if (!/^\d{1,6}$/u.test(cursor)) return undefined;
      const start = Number(cursor);
      return entries
        .slice(start, start + limit)
        .map((entry, index) => [String(start + index + 1), entry]);
    },
    find: async (name) => entries.find((entry) => entry.name === name),
  };
}

// Not every model accepts a name that begins with a digit.
function toOfferedName(name: string): string {
  return /^\d/u.test(name) ? `_${name}` : name;
}

// PostgreSQL can't look for a zero byte. No tool has one.
function isStorable(name: string): boolean {
  return !name.includes("\0");
}

function toResult(result: InvocationResult): { readonly text: string; readonly isError: boolean } {
  const warning = result.warning === undefined ? "" : `\n\n${result.warning}`;
  if (result.succeeded) return { text: `${result.output}${warning}`, isError: false };
  const { exception_type, exception_message } = result;
  return { text: `${exception_type}: ${exception_message}${warning}`, isError: true };
}
