import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLive } from "../api/live.ts";
import { useSession } from "../api/session.ts";
import { pages } from "../pages.ts";
import { Command } from "../ui/command.tsx";
import { show } from "../ui/show.ts";
import { ToastList } from "../ui/toasts.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Palette } from "./palette.tsx";
import { ShortcutHelp } from "./shortcut-help.tsx";
import { useShortcuts } from "./shortcuts.ts";

const listed = pages.filter(({ key }) => key !== undefined);

/** What surrounds every page: navigation, palette, shortcuts, messages. */
export function Shell() {
  const session = useSession();
  const { state, waiting } = useLive();
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [open, setOpen] = useState<"palette" | "help">();
  const main = useRef<HTMLElement>(null);
  const title = findTitle(path);

  useShortcuts({
    "mod+k": () => setOpen("palette"),
    "?": () => setOpen("help"),
    "/": () => main.current?.querySelector<HTMLElement>("[type=search]")?.focus(),
    ...Object.fromEntries(
      listed.map((page) => [`g ${page.key}`, () => void navigate({ to: page.path as never })]),
    ),
  });
  useEffect(() => {
    const count = waiting !== undefined && waiting > 0 ? `(${waiting}) ` : "";
    document.title = `${count}${title} · Haft`;
  }, [title, waiting]);
  // After a change of the page the keyboard continues in it.
  useEffect(() => {
    if (path !== "" && document.activeElement === document.body) main.current?.focus();
  }, [path]);

  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header class="bar">
        {/* Without this, the router replaces the class on the page itself. */}
        <Link to="/" class="brand" activeProps={{}} aria-label="Haft, inbox">
          <img src="/icon.svg" alt="" width="22" height="22" />
          <span>Haft</span>
        </Link>
        <nav aria-label="Pages">
          {listed.map((page) => (
            <Link
              key={page.path}
              to={page.path as never}
              activeOptions={{ exact: page.path === "/", includeSearch: false }}
              activeProps={{ "aria-current": "page" } as never}
            >
              {page.title}
              {page.path === "/" && waiting !== undefined && waiting > 0 && (
                <span class="count">
                  {waiting}
                  <span class="hidden"> waiting</span>
                </span>
              )}
            </Link>
          ))}
        </nav>
        <div class="bar-end">
          <span
            class="live"
            data-on={state === "on"}
            role="status"
            title={state === "on" ? "The page updates by itself" : "Not connected yet"}
          >
            {{ on: "Live", off: "Offline", connecting: "Connecting" }[state]}
          </span>
          <button type="button" class="search-button" onClick={() => setOpen("palette")}>
            Search <kbd>Ctrl K</kbd>
          </button>
          <AccountMenu />
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1} key={session.organization}>
        <Outlet />
      </main>
      {open === "palette" && <Palette onClose={() => setOpen(undefined)} />}
      {open === "help" && <ShortcutHelp onClose={() => setOpen(undefined)} />}
      <ToastList />
    </div>
  );
}

/** What is shown at an address that has no page. */
export function NotFoundPage() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <section class="page">
      <h1>There is no such page</h1>
      <p class="quiet">{show(path)} is not a page of the console.</p>
      <Command text="npx haft console" />
    </section>
  );
}

function findTitle(path: string): string {
  const parts = path.split("/");
  const found = pages.find((page) => {
    const own = page.path.split("/");
    return (
      own.length === parts.length &&
      own.every((part, index) => part.startsWith("$") || part === parts[index])
    );
  });
  return found?.title ?? "Haft";
}
