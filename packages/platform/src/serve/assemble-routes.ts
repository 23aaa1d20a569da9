import type { AnyRoute } from "../api/route.ts";
import { asyncRoutes } from "../async/async-routes.ts";
import { type AsyncInvocations, openAsync } from "../async/open-async.ts";
import { createCautiousClock } from "../cautious-clock.ts";
import type { OpenRepositories } from "../git/open-repositories.ts";
import { repositoryRoutes } from "../git/repository-routes.ts";
import type { History } from "../history/history.ts";
import { invocationRoutes } from "../history/invocation-routes.ts";
import { inboxRoutes } from "../inbox/inbox-routes.ts";
import { createInvoker, type Invoker, type InvokerParts } from "../invoke/create-invoker.ts";
import { createIdempotency } from "../invoke/idempotency.ts";
import { invokeRoutes } from "../invoke/invoke-routes.ts";
import { createRunOpener } from "../invoke/open-run.ts";
import { organizationRoutes } from "../organizations/organization-routes.ts";
import type { OrganizationServices } from "../organizations/organization-services.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createTester } from "../publish/create-tester.ts";
import { publishRoutes } from "../publish/publish-routes.ts";
import type { Publisher } from "../publish/publisher.ts";
import { scaffoldRoutes } from "../publish/scaffold-routes.ts";
import { testRoutes } from "../publish/test-routes.ts";
import { createVariableReader } from "../tools/create-variable-reader.ts";
import { toolRoutes } from "../tools/tool-routes.ts";
import { createVersionResolver } from "../versions/create-version-resolver.ts";
import type { ArtifactStore } from "../versions/resolved-version.ts";
import { versionRoutes } from "../versions/version-routes.ts";
import type { ExecutionBackend } from "./execution-backend.ts";

/** The services that the routes use. */
export interface RouteParts {
  readonly organizations: OrganizationServices;
  readonly repositories: OpenRepositories;
  readonly publisher: Publisher;
  readonly artifacts: ArtifactStore;
  readonly history: History;
  readonly backend: Pick<ExecutionBackend, "runner" | "builder" | "requireWorkers">;
  /** Returns why the store accepts no writes now. */
  findFailure?(): Error | undefined;
}

/** What runs invocations, at once or later. */
export interface Invocations {
  readonly invoker: Invoker;
  readonly async: AsyncInvocations;
}

/** Opens what runs invocations. The caller closes `async`. */
export function openInvocations(
  parts: PlatformParts,
  made: RouteParts,
  onError?: (error: unknown) => void,
): Invocations {
  const { organizations, artifacts, history, backend } = made;
  const { userVariables } = organizations;
  const { runner, requireWorkers } = backend;
  const read: Parameters<typeof createRunOpener>[0] & Pick<InvokerParts, "versions"> = {
    artifacts,
    versions: createVersionResolver(parts),
    variables: createVariableReader(parts),
    readUserVariables: (organization, userId) => userVariables.read(organization, userId),
  };
  const invoker = createInvoker({
    ...read,
    now: parts.now,
    runner,
    history,
    ...(made.findFailure !== undefined && { findFailure: made.findFailure }),
  });
  const openRun = createRunOpener(read);
  const more = onError === undefined ? {} : { onError };
  return {
    invoker,
    async: openAsync({ ...parts, openRun, history, runner, requireWorkers, ...more }),
  };
}

/** Returns all routes of the API. */
export function assembleRoutes(
  parts: PlatformParts,
  made: RouteParts,
  { invoker, async }: Invocations,
): readonly AnyRoute[] {
  const { organizations, repositories, publisher, backend } = made;
  return [
    ...organizationRoutes(organizations),
    ...toolRoutes(parts),
    ...versionRoutes(parts),
    ...publishRoutes({ publisher, store: parts.store }),
    ...testRoutes({ tester: createTester({ ...parts, repositories, ...backend }) }),
    ...scaffoldRoutes(),
    ...invokeRoutes({
      invoker,
      acceptance: async,
      idempotency: createIdempotency({ ...parts, ageNow: createCautiousClock(parts.now) }),
    }),
    ...invocationRoutes(parts),
    ...asyncRoutes(parts, async),
    ...inboxRoutes(parts, { onAnswer: async.poke }),
    ...repositoryRoutes(repositories),
  ];
}
