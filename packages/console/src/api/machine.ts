import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client.ts";
import type { paths } from "./schema.d.ts";
import type { Ok } from "./tools.ts";

/** The rules in effect in a workspace. */
export type MachineRules = Ok<paths["/v1/{organization}/machine/rules"]["get"]>;

/** What every layer decides about a call. */
export type CallChecked = Ok<paths["/v1/{organization}/machine/rules/check"]["post"]>;

/** What a rule would have changed. */
export type SimulationReport = Ok<paths["/v1/{organization}/machine/rules/simulate"]["post"]>;

/** Tokens and money of requests to models, and tokens of results. */
export type MachineCost = Ok<paths["/v1/{organization}/machine/cost"]["get"]>;

/** What a rule decides. */
export type RuleAction = CallChecked["action"];

/** The directories that sessions worked in. */
export function workspacesQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "machine", "workspaces"],
    queryFn: async () =>
      (
        await ask(
          api.GET("/v1/{organization}/machine/workspaces", { params: { path: { organization } } }),
        )
      ).workspaces,
    staleTime: 60_000,
  });
}
