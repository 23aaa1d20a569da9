import type { AnyRoute } from "../api/route.ts";
import { asyncRoutes } from "../async/async-routes.ts";
import { type AsyncInvocations, openAsync } from "../async/open-async.ts";
import { createCautiousClock } from "../cautious-clock.ts";
import { consoleSessionRoutes } from "../console/console-session-routes.ts";
import type { OpenRepositories } from "../git/open-repositories.ts";
import { repositoryRoutes } from "../git/repository-routes.ts";
import type { History } from "../history/history.ts";
import { invocationRoutes } from "../history/invocation-routes.ts";
import { retentionRoutes } from "../history/retention-routes.ts";
import { inboxRoutes } from "../inbox/inbox-routes.ts";
import { linkRoutes } from "../inbox/link-routes.ts";
import type { SessionItems } from "../inbox/session-items.ts";
import { createCallers } from "../invoke/callers.ts";
import { createInvoker, type Invoker } from "../invoke/create-invoker.ts";
import { createIdempotency } from "../invoke/idempotency.ts";
import { invokeRoutes } from "../invoke/invoke-routes.ts";
import { mcpRoutes } from "../invoke/mcp-routes.ts";
import { createRunOpener } from "../invoke/open-run.ts";
import type { McpEndpoint } from "../invoke/tool-offer.ts";
import { machineRoutes } from "../machine/machine-routes.ts";
import type { MachineService } from "../machine/machine-service.ts";
import { organizationRoutes } from "../organizations/organization-routes.ts";
import type { OrganizationServices } from "../organizations/organization-services.ts";
import { overviewRoutes } from "../overview/overview-routes.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { createTester } from "../publish/create-tester.ts";
import { publishRoutes } from "../publish/publish-routes.ts";
import type { Publisher } from "../publish/publisher.ts";
import { scaffoldRoutes } from "../publish/scaffold-routes.ts";
import { testRoutes } from "../publish/test-routes.ts";
import { replayRoutes } from "../replay/replay-routes.ts";
import { scheduleRoutes } from "../schedules/schedule-routes.ts";
import { type Scheduler, startScheduler } from "../schedules/scheduler.ts";
import { createSchedules } from "../schedules/schedules.ts";
import { createVariableReader } from "../tools/create-variable-reader.ts";
import { toolRoutes } from "../tools/tool-routes.ts";
import { toolSetRoutes } from "../tools/tool-set-routes.ts";
import { createToolSets } from "../tools/tool-sets.ts";
import { createCanaryCounter } from "../versions/canary-counter.ts";
import { createVersionResolver } from "../versions/create-version-resolver.ts";
import type {
  ArtifactStore,
  VariableReader,
  VersionResolver,
} from "../versions/resolved-version.ts";
import { versionRoutes } from "../versions/version-routes.ts";
import type { WebhookServices } from "../webhooks/open-webhooks.ts";
import { webhookRoutes } from "../webhooks/webhook-routes.ts";
import type { ExecutionBackend } from "./execution-backend.ts";

/** The services that the routes use. */
export interface RouteParts {
  readonly organizations: OrganizationServices;
  readonly repositories: OpenRepositories;
  readonly publisher: Publisher;
  readonly artifacts: ArtifactStore;
  readonly history: History;
  readonly webhooks: WebhookServices;
  readonly backend: Pick<ExecutionBackend, "runner" | "builder"> &
    Partial<Pick<ExecutionBackend, "requireWorkers">>;
  /** Serves MCP clients. Default: there is no MCP endpoint. */
  readonly mcp?: McpEndpoint | undefined;
  /** Calls of sessions on this machine. Default: the inbox does not show them. */
  readonly sessions?: SessionItems | undefined;
  /** The data directory. */
  readonly directory?: string;
  /** What agents did on this machine. Default: the API does not show it. */
  readonly machine?: MachineService | undefined;
  /** Returns why the store accepts no writes now. */
  findFailure?(): Error | undefined;
}

/** What runs invocations, at once or later, and what it reads for them. */
export interface Invocations {
  readonly invoker: Invoker;
  readonly async: AsyncInvocations;
  readonly scheduler: Scheduler;
  readonly versions: VersionResolver;
  readonly variables: VariableReader;
}

/** Opens what runs invocations. The caller stops `scheduler`, then closes `async`. */
export function openInvocations(
  parts: PlatformParts,
  made: RouteParts,
  onError?: (error: unknown) => void,
): Invocations {
  const { organizations, artifacts, history, backend } = made;
  const { userVariables } = organizations;
  const { runner, requireWorkers } = backend;
  const versions = createVersionResolver(parts);
  const variables = createVariableReader(parts);
  const readUserVariables: Parameters<typeof createRunOpener>[0]["readUserVariables"] = (
    organization,
    userId,
  ) => userVariables.read(organization, userId);
  const read = { artifacts, versions, variables, readUserVariables };
  const canaries = createCanaryCounter(parts);
  const invoker = createInvoker({
    ...read,
    now: parts.now,
    runner,
    history,
    callers: createCallers(parts.store),
    canaries,
    ...(made.findFailure !== undefined && { findFailure: made.findFailure }),
  });
  const openRun = createRunOpener(read);
  const more = onError === undefined ? {} : { onError };
  const async = openAsync({
    ...{ ...parts, openRun, history, runner, requireWorkers, canaries, ...more },
  });
  const { findFailure } = made;
  const scheduler = startScheduler({
    ...{ ...parts, ...more, invoker, acceptance: async },
    ...(findFailure !== undefined && { findFailure }),
  });
  return { invoker, async, scheduler, versions, variables };
}

/** Returns all routes of the API. */
export function assembleRoutes(
  parts: PlatformParts,
  made: RouteParts,
  { invoker, async, scheduler, versions, variables }: Invocations,
): readonly AnyRoute[] {
  const { organizations, repositories, publisher, artifacts, backend, webhooks } = made;
  const sets = createToolSets(parts);
  const offers = { store: parts.store, sets, versions, invoker };
  return [
    ...organizationRoutes(organizations),
    ...consoleSessionRoutes(organizations),
    ...toolRoutes(parts),
    ...toolSetRoutes(sets),
    ...versionRoutes(parts),
    ...publishRoutes({ publisher, store: parts.store }),
    ...testRoutes({ tester: createTester({ ...parts, repositories, ...backend }) }),
    ...scaffoldRoutes(),
    ...invokeRoutes({
      invoker,
      acceptance: async,
      idempotency: createIdempotency({ ...parts, ageNow: createCautiousClock(parts.now) }),
    }),
    ...(made.mcp === undefined
      ? []
      : mcpRoutes(made.mcp, { ...offers, requireWorkers: backend.requireWorkers })),
    ...invocationRoutes(parts),
    ...retentionRoutes(parts),
    ...overviewRoutes({ ...parts, directory: made.directory, sessions: made.sessions }),
    ...replayRoutes({ ...parts, ...backend, artifacts, versions, variables, invoker }),
    ...asyncRoutes(parts, async),
    ...scheduleRoutes(createSchedules({ ...parts, invoker, acceptance: async }, scheduler)),
    ...inboxRoutes(parts, { onAnswer: async.poke, sessions: made.sessions }),
    ...linkRoutes(parts, {
      ...{ links: webhooks.links, sessions: made.sessions, onAnswer: async.poke },
    }),
    ...webhookRoutes(parts, webhooks.deliverer, made.sessions),
    ...machineRoutes(parts, made.machine),
    ...repositoryRoutes(repositories),
  ];
}
