import type { AnyRoute, Route } from "../api/route.ts";
import type { StoreFailure } from "../store/store-failure.ts";

/** Checks that run before routes that change something. */
export interface RouteGuard {
  /** Returns why the store accepts no writes now. */
  findFailure(): StoreFailure | undefined;
  /** Throws a `Problem` if no worker can run or build now. Absent if tools run in this process. */
  readonly requireWorkers?: (() => Promise<void>) | undefined;
}

// The routes that run or build something.
const working: readonly string[] = [
  "invoke-tool-version",
  "publish-tool-version",
  "test-tool",
  "retry-tool-invocations",
  "shadow-tool-version",
];

/** Refuses changes while the store accepts no writes, so that nothing runs without a record. */
export function guardRoutes(routes: readonly AnyRoute[], guard: RouteGuard): readonly AnyRoute[] {
  return routes.map((route) => {
    if ("handleRaw" in route) {
      return {
        ...route,
        handleRaw: async (request, response, context) => {
          if (isPush(request.url)) requireWrites(guard);
          await route.handleRaw(request, response, context);
        },
      };
    }
    if ("handleOpen" in route || route.method === "GET") return route;
    const { requireWorkers } = guard;
    const handle: Route["handle"] =
      requireWorkers !== undefined && working.includes(route.operationId)
        ? async (request) => {
            await requireWorkers();
            return route.handle(request);
          }
        : (request) => route.handle(request);
    return {
      ...route,
      handle: async (request) => {
        requireWrites(guard);
        return handle(request);
      },
    };
  });
}

function requireWrites({ findFailure }: RouteGuard): void {
  const failure = findFailure();
  if (failure !== undefined) throw failure;
}

function isPush(url: string | undefined): boolean {
  return url?.includes("git-receive-pack") ?? false;
}
