import { defineRoute, type Route } from "../../api/route.ts";
import { toIsoMoment } from "../../iso-moment.ts";
import {
  organizationParams,
  pageQuery,
  pathQuery,
  refQuery,
  toObjectSchema,
  toPageSchema,
} from "./browse-schemas.ts";
import type { RepositoryBrowser } from "./repository-browser.ts";

interface PageParameters {
  readonly limit: number;
  readonly continuation_token?: string;
}

interface CommitParameters extends PageParameters {
  readonly ref?: string;
  readonly path?: string;
}

const branchSchema = toObjectSchema({
  name: { type: "string" },
  commit: { type: "string" },
  updated_at: { type: "string", format: "date-time" },
});

const commitSchema = toObjectSchema({
  hash: { type: "string" },
  parents: { type: "array", items: { type: "string" } },
  author: { type: "string" },
  email: { type: "string" },
  date: { type: "string", format: "date-time" },
  subject: { type: "string" },
  body: { type: "string" },
});

/** Returns the route that lists branches by name. */
export function branchesRoute(browser: RepositoryBrowser): Route {
  return defineRoute<unknown, PageParameters>({
    method: "GET",
    url: "/v1/:organization/tool/repository/branches",
    operationId: "list-repository-branches",
    summary: "Lists the branches of the organization's repository by name.",
    permission: "Tool:AccessRepo",
    schema: {
      params: organizationParams,
      querystring: { type: "object", properties: pageQuery },
      response: { 200: toPageSchema("branches", branchSchema) },
    },
    handle: async ({ principal, query, signal }) => {
      const page = await browser.listBranches(
        principal.organization,
        { limit: query.limit, continuationToken: query.continuation_token },
        signal,
      );
      const branches = page.items.map(({ name, commit, updatedAt }) => ({
        name,
        commit,
        updated_at: toIsoMoment(updatedAt),
      }));
      return { status: 200, body: { branches, ...toPageEnd(page.continuationToken) } };
    },
  });
}

/** Returns the route that lists commits, newest first. */
export function commitsRoute(browser: RepositoryBrowser): Route {
  return defineRoute<unknown, CommitParameters>({
    method: "GET",
    url: "/v1/:organization/tool/repository/commits",
    operationId: "list-repository-commits",
    summary: "Lists the commits of a branch, tag or commit, newest first, optionally of one path.",
    permission: "Tool:AccessRepo",
    schema: {
      params: organizationParams,
      querystring: {
        type: "object",
        properties: { ref: refQuery, path: pathQuery, ...pageQuery },
      },
      response: { 200: toPageSchema("commits", commitSchema) },
    },
    handle: async ({ principal, query, signal }) => {
      const { ref, path, limit, continuation_token: continuationToken } = query;
      const page = await browser.listCommits(
        principal.organization,
        { ref, path, limit, continuationToken },
        signal,
      );
      const commits = page.items.map((commit) => ({ ...commit, date: toIsoMoment(commit.date) }));
      return { status: 200, body: { commits, ...toPageEnd(page.continuationToken) } };
    },
  });
}

function toPageEnd(token: string | undefined): {
  readonly has_more: boolean;
  readonly continuation_token: string | null;
} {
  return { has_more: token !== undefined, continuation_token: token ?? null };
}
