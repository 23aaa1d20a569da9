import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { pages } from "./pages.ts";
import { Failure } from "./shell/error-boundary.tsx";
import { NotFoundPage, Shell } from "./shell/shell.tsx";

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });

const routes = pages.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: lazyRouteComponent(load as never, "Page" as never),
  }),
);

/** Which page is shown. Values of the address are texts, several of one name a list. */
export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  defaultPreload: "intent",
  defaultErrorComponent: ({ error, reset }: { error: Error; reset(): void }) => (
    <Failure error={error} onRetry={reset} />
  ),
  scrollRestoration: false,
  parseSearch: (text) => {
    const query = new URLSearchParams(text);
    return Object.fromEntries(
      [...new Set(query.keys())].map((name) => {
        const values = query.getAll(name);
        return [name, values.length > 1 ? values : (values[0] ?? "")];
      }),
    );
  },
  stringifySearch: (search) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(search)) {
      for (const each of [value].flat()) {
        if (each !== undefined && each !== "") query.append(name, String(each));
      }
    }
    return query.size > 0 ? `?${query}` : "";
  },
});
