import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type { NewToolSet, ToolSet, ToolSetContent } from "./wire-types.ts";

/** An organization's tool sets. */
export interface ToolSetsClient {
  list(): Promise<{ readonly tool_sets: readonly ToolSet[] }>;
  get(name: string): Promise<ToolSet>;
  create(set: NewToolSet): Promise<ToolSet>;
  /** Replaces its tools and instructions. */
  replace(name: string, content: ToolSetContent): Promise<ToolSet>;
  delete(name: string): Promise<void>;
}

/** Makes the part of the client that is about tool sets. */
export function createToolSetsClient(
  requester: Requester,
  place: OrganizationPath,
): ToolSetsClient {
  const path = (name: string): Promise<string> => place.path("tool", "set", name);
  return {
    list: async () => requester.request("GET", await path("")),
    get: async (name) => requester.request("GET", await path(name)),
    create: async (body) => requester.request("POST", await path(""), { body }),
    replace: async (name, body) => requester.request("PUT", await path(name), { body }),
    delete: async (name) => requester.request("DELETE", await path(name)),
  };
}
