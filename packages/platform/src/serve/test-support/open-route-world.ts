import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "../../api/create-api-server.ts";
import type { AnyRoute } from "../../api/route.ts";
import type { RouteWorld } from "../../api/test-support/route-world.ts";
import { createTestParts } from "../../auth/test-support/create-test-parts.ts";
import { openRepositories } from "../../git/open-repositories.ts";
import { createHistory } from "../../history/create-history.ts";
import type { History } from "../../history/history.ts";
import {
  type AdministratorAccess,
  createOrganization,
} from "../../organizations/create-organization.ts";
import { requireLocalPrincipal } from "../../organizations/local-principal.ts";
import { openOrganizationServices } from "../../organizations/organization-services.ts";
import type { PlatformParts } from "../../platform-parts.ts";
import { defaultSettings } from "../../platform-settings.ts";
import { createBuilder } from "../../publish/create-builder.ts";
import { createPublisher } from "../../publish/create-publisher.ts";
import { createRunner } from "../../runner/create-runner.ts";
import { openStore } from "../../store/open-store.ts";
import type { TestStores } from "../../test-support/describe-stores.ts";
import { createVariableReader } from "../../tools/create-variable-reader.ts";
import { createArtifactStore } from "../../versions/create-artifact-store.ts";
import { openWebhooks } from "../../webhooks/open-webhooks.ts";
import { assembleRoutes, openInvocations } from "../assemble-routes.ts";

/** Two organizations behind every route there is. */
export interface PlatformRouteWorld extends RouteWorld {
  readonly parts: PlatformParts;
  readonly history: History;
  readonly own: AdministratorAccess;
  readonly other: AdministratorAccess;
}

const maxBodyBytes = 64 * 1024;

/** Makes the real routes on a store, with an administrator, a key that may do nothing, and a stranger. */
export async function openRouteWorld(stores: TestStores): Promise<PlatformRouteWorld> {
  const directory = mkdtempSync(join(tmpdir(), "haft-routes-"));
  const located = await stores.locate();
  // A file of theirs lasts for one test, and this lasts for all of them.
  const store = await openStore(
    located.kind === "sqlite" ? { kind: "sqlite", path: join(directory, "haft.db") } : located,
  );
  const settings = { ...defaultSettings, maxBodyBytes };
  const parts = createTestParts(store, { settings, now: Date.now });
  const repositories = await openRepositories(parts, { directory: join(directory, "git") });
  const history = createHistory(parts);
  const artifacts = createArtifactStore(parts);
  const runner = createRunner({
    settings: settings.runner,
    privateHosts: "never",
    directory: join(directory, "runner"),
  });
  const builder = createBuilder({ settings, directory: join(directory, "build") });
  const publisher = createPublisher({
    ...{ ...parts, repositories, builder, runner, artifacts },
    variables: createVariableReader(parts),
  });
  const organizations = await openOrganizationServices(parts, directory);
  const backend = { runner, builder };
  const webhooks = openWebhooks(parts, { findUrl: () => "http://localhost" });
  const made = { organizations, repositories, publisher, artifacts, history, backend, webhooks };
  const invocations = openInvocations(parts, made);
  const routes = assembleRoutes(parts, made, invocations);
  const { fastify: server, close } = await createApiServer({
    routes,
    authenticator: organizations.authenticator,
    settings,
    version: "1.2.3",
    health: { ready: async () => ({ ok: true, checks: {} }) },
  });
  const own = await createOrganization(parts, "own");
  const other = await createOrganization(parts, "other");
  const principal = await requireLocalPrincipal(parts, own.organization);
  await organizations.roles.create(principal, { name: "Nothing", permissions: [] });
  const powerless = await organizations.apiKeys.create(principal, {
    name: "powerless",
    durationMs: 3_600_000,
    roleName: "Nothing",
  });
  return {
    parts,
    history,
    own,
    other,
    routes: routes.flatMap(toEachMethod),
    server,
    organization: own.organization,
    maxBodyBytes,
    tokens: {
      administrator: own.api_key,
      powerless: powerless.apiKey,
      stranger: other.api_key,
    },
    close: async () => {
      await close();
      await webhooks.deliverer.stop(0);
      await invocations.scheduler.stop();
      await invocations.async.close();
      await history.close();
      await repositories.close();
      await Promise.all([runner.close(0), builder.close()]);
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** What takes several methods is tried with each of them. */
function toEachMethod(route: AnyRoute): AnyRoute[] {
  if (!("methods" in route)) return [route];
  return route.methods.map((method) => ({ ...route, methods: [method] }));
}
