import type { ComponentType } from "preact";

/** A page of the console. To add one: write the file that exports `Page`, and a line here. */
export interface PageEntry {
  /** In TanStack Router's syntax. */
  readonly path: string;
  readonly title: string;
  /** The key that opens it after `g`. Pages with one are in the navigation. */
  readonly key?: string;
  /** Loaded when it is first opened. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
}

/** Every page, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  { path: "/", title: "Inbox", key: "i", load: () => import("./pages/inbox.tsx") },
  { path: "/inbox/$itemId", title: "Inbox item", load: () => import("./pages/inbox-item.tsx") },
  { path: "/sessions", title: "Sessions", key: "s", load: () => import("./pages/sessions.tsx") },
  {
    path: "/sessions/$workspaceId/$name",
    title: "Session",
    load: () => import("./pages/session.tsx"),
  },
  { path: "/tools", title: "Tools", key: "t", load: () => import("./pages/tools.tsx") },
  { path: "/tools/$toolId", title: "Tool", load: () => import("./pages/tool.tsx") },
  { path: "/try", title: "Try it", key: "y", load: () => import("./pages/try-it.tsx") },
  { path: "/workspace", title: "Workspace", key: "w", load: () => import("./pages/workspace.tsx") },
  {
    path: "/invocations",
    title: "Invocations",
    key: "v",
    load: () => import("./pages/invocations.tsx"),
  },
  {
    path: "/invocations/$invocationId",
    title: "Invocation",
    load: () => import("./pages/invocation.tsx"),
  },
  { path: "/rules", title: "Rules", key: "r", load: () => import("./pages/rules.tsx") },
  { path: "/cost", title: "Cost", key: "c", load: () => import("./pages/cost.tsx") },
  { path: "/access", title: "Access", key: "a", load: () => import("./pages/access.tsx") },
  { path: "/audit", title: "Audit", key: "u", load: () => import("./pages/audit.tsx") },
  { path: "/health", title: "Health", key: "h", load: () => import("./pages/health.tsx") },
];
