import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client.ts";
import type { paths } from "./schema.d.ts";

type Ok<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** A published tool. */
export type Tool = Ok<paths["/v1/{organization}/tool/"]["get"]>["tools"][number];

/** A version of a tool. */
export type ToolVersion = Ok<
  paths["/v1/{organization}/tool/{tool_id}/version"]["get"]
>["tool_versions"][number];

/** An invocation without what it was given and returned. */
export type Summary = Ok<
  paths["/v1/{organization}/tool/invocation/summary"]["get"]
>["invocations"][number];

/** One invocation in full. */
export type Invocation = Ok<paths["/v1/{organization}/tool/invocation/{invocation_id}"]["get"]>;

export type { Ok };

/** All tools of an organization, by name. */
export function toolsQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "tools"],
    queryFn: async () => {
      const tools: Tool[] = [];
      let token: number | null = 0;
      while (token !== null) {
        const params = {
          path: { organization },
          query: { limit: 20, continuation_token: token, sort_by: ["+name"] },
        };
        const page: Ok<paths["/v1/{organization}/tool/"]["get"]> = await ask(
          api.GET("/v1/{organization}/tool/", { params }),
        );
        tools.push(...page.tools);
        token = page.continuation_token;
      }
      return tools;
    },
  });
}

/** The versions of a tool, the newest first. */
export function versionsQuery(organization: string, toolId: string) {
  return queryOptions({
    queryKey: [organization, "versions", toolId],
    queryFn: async () => {
      const params = { path: { organization, tool_id: toolId } };
      const page = await ask(api.GET("/v1/{organization}/tool/{tool_id}/version", { params }));
      return page.tool_versions.toSorted((one, other) => other.lambda_version - one.lambda_version);
    },
    enabled: toolId !== "",
  });
}

/** A version as text, such as `1.2.0`. */
export function toVersionText({ major, minor, patch }: ToolVersion["version"]): string {
  return `${major}.${minor}.${patch}`;
}

const dayMs = 86_400_000;

/** How many invocations there were in the last days, by tool, version or caller. */
export function statisticsQuery(
  organization: string,
  groupBy: "tool" | "version" | "caller",
  { days = 1, toolId }: { days?: number; toolId?: string } = {},
) {
  return queryOptions({
    queryKey: [organization, "counted", "statistics", groupBy, days, toolId],
    queryFn: async ({ signal }) => {
      const from = new Date(
        Math.floor((Date.now() - days * dayMs) / 60_000) * 60_000,
      ).toISOString();
      const query = { group_by: groupBy, from, ...(toolId !== undefined && { tool_id: [toolId] }) };
      const params = { path: { organization }, query };
      return ask(api.GET("/v1/{organization}/tool/invocation/statistics", { params, signal }));
    },
  });
}

/** Which version `latest` names, its last moves, and the tool's canary. */
export function latestQuery(organization: string, toolId: string) {
  return queryOptions({
    queryKey: [organization, "latest", toolId],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/{tool_id}/latest", {
          params: { path: { organization, tool_id: toolId } },
        }),
      ),
  });
}
