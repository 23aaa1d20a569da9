import type { AnyRoute, RawRoute } from "../api/route.ts";
import { diffRoute, fileRoute, treeRoute } from "./browse/content-routes.ts";
import { branchesRoute, commitsRoute } from "./browse/list-routes.ts";
import type { RepositoryBrowser } from "./browse/repository-browser.ts";
import type { Repositories } from "./repositories.ts";

/** Returns the routes of the organization's git remote and those that browse it. */
export function repositoryRoutes(
  repositories: Repositories & RepositoryBrowser,
): readonly AnyRoute[] {
  return [
    gitRoute(repositories),
    branchesRoute(repositories),
    commitsRoute(repositories),
    treeRoute(repositories),
    fileRoute(repositories),
    diffRoute(repositories),
  ];
}

function gitRoute(repositories: Repositories): RawRoute {
  return {
    methods: ["GET", "POST"],
    url: "/v1/:organization/tool/git/*",
    operationId: "access-git-interface",
    summary: "The organization's git remote: clone, fetch and push with git.",
    permission: "Tool:AccessRepo",
    basic: true,
    handleRaw: async (request, response, { principal, params }) =>
      await repositories.serve(request, response, { principal, path: params["*"] ?? "" }),
  };
}
