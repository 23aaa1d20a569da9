import type { ComponentChildren } from "preact";
import { Command } from "./command.tsx";
import { show } from "./show.ts";

/** What went wrong and what to do. */
export function ProblemNote({ text }: { text: string }) {
  return (
    <p class="problem" role="alert">
      {show(text)}
    </p>
  );
}

/** What is shown where there is nothing yet: why, and the commands that change it. */
export function Empty({
  title,
  children,
  commands = [],
}: {
  title: string;
  children?: ComponentChildren;
  commands?: readonly string[];
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {commands.map((text) => (
        <Command key={text} text={text} />
      ))}
    </div>
  );
}

/** The state of a query while it has no data. */
export function Pending({ error }: { error: Error | null }) {
  return error === null ? (
    <p class="quiet loading">Loading…</p>
  ) : (
    <ProblemNote text={error.message} />
  );
}

/** The heading of a page, with what can be done on it. */
export function PageHeader({
  title,
  children,
}: {
  title: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <header class="page-header">
      <h1>{title}</h1>
      <div class="actions">{children}</div>
    </header>
  );
}

/** A short word with a colour that says the same. */
export function Badge({
  tone = "neutral",
  children,
}: {
  tone?: "neutral" | "good" | "bad" | "warn" | "accent";
  children: ComponentChildren;
}) {
  return (
    <span class="badge" data-tone={tone}>
      {children}
    </span>
  );
}
