import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type {
  NewTool,
  Tool,
  ToolChange,
  ToolPage,
  ToolQuery,
  VariableChanges,
} from "./wire-types.ts";

/** An organization's tools. */
export interface ToolsClient {
  list(query?: ToolQuery): Promise<ToolPage>;
  /** Every tool that a query finds, page by page. */
  each(query?: ToolQuery): AsyncGenerator<Tool>;
  /** By its id or its name; of several with one name the one that is not deprecated. */
  find(nameOrId: string): Promise<Tool | undefined>;
  create(tool: NewTool): Promise<{ readonly id: string }>;
  modify(id: string, change: ToolChange): Promise<void>;
  deprecate(id: string): Promise<void>;
  /** Restores a deprecated tool, with the versions that were deprecated with it. */
  restore(id: string): Promise<void>;
  /** All of the changes, or none. */
  variables(id: string, changes: VariableChanges): Promise<void>;
}

const largestPage = 20;

/** Makes the part of the client that is about tools. */
export function createToolsClient(requester: Requester, place: OrganizationPath): ToolsClient {
  const list = async (query?: ToolQuery): Promise<ToolPage> =>
    requester.request("GET", await place.path("tool", ""), { query: query ?? {} });

  async function* each(query: ToolQuery = {}): AsyncGenerator<Tool> {
    let token = query.continuation_token ?? 0;
    while (true) {
      const page = await list({ limit: largestPage, ...query, continuation_token: token });
      yield* page.tools;
      if (!page.has_more || page.continuation_token === null) return;
      token = page.continuation_token;
    }
  }

  const findByName = async (name: string): Promise<Tool | undefined> => {
    let retired: Tool | undefined;
    // A server that can look for a name does; others answer with all, so that each is looked at.
    const query = { name: [name], sort_by: ["+deprecated", "+name"] };
    for await (const tool of each(query)) {
      if (tool.name !== name) continue;
      if (!tool.deprecated) return tool;
      retired ??= tool;
    }
    return retired;
  };

  return {
    list,
    each,
    find: async (nameOrId) => {
      if (!isToolId(nameOrId)) return findByName(nameOrId);
      const [tool] = (await list({ id: [nameOrId] })).tools;
      return tool ?? findByName(nameOrId);
    },
    create: async (tool) => requester.request("POST", await place.path("tool", ""), { body: tool }),
    modify: async (id, body) => requester.request("POST", await place.path("tool", id), { body }),
    deprecate: async (id) => requester.request("DELETE", await place.path("tool", id)),
    restore: async (id) => requester.request("POST", await place.path("tool", id, "restore")),
    variables: async (id, body) =>
      requester.request("POST", await place.path("tool", id, "envvar"), { body }),
  };
}

function isToolId(text: string): boolean {
  return /^[a-f0-9]{24}$/u.test(text);
}
