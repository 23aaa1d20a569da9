import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useAddress } from "../../address.ts";
import { api, ask } from "../../api/client.ts";
import type { MachineRules } from "../../api/machine.ts";
import { useSession } from "../../api/session.ts";
import { Badge, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { Verdict } from "../../ui/verdict.tsx";
import { SearchField } from "../invocations/filter-bar.tsx";

type Scope = MachineRules["scopes"][number];

const titles: Readonly<Record<string, string>> = {
  manifest: "Agent",
  session: "Session",
  project: "Workspace",
  default: "Default",
};

const meanings: Readonly<Record<string, string>> = {
  manifest: "From the agent's manifest. Its denials are final.",
  session: "Hold for one session.",
  project: "Hold for everyone who works in the workspace.",
  default: "Apply only where no other rule does.",
};

/** The rules in effect in a workspace, by origin. */
export function EffectiveRules({ workspace }: { workspace: string }) {
  const { organization } = useSession();
  const address = useAddress();
  const session = address.text("session") || "default";
  const { data, error } = useQuery({
    queryKey: [organization, "machine", "rules", workspace, session],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/machine/rules", {
          params: { path: { organization }, query: { workspace, session } },
        }),
      ),
  });
  const words = address.text("q").toLowerCase().split(/\s+/u).filter(Boolean);
  return (
    <>
      <div class="filters">
        <SearchField label="Search rules" name="q" />
        <SearchField label="Session. Default: default" name="session" />
      </div>
      {data === undefined ? (
        <Pending error={error} />
      ) : (
        data.scopes.map((scope) => <ScopeRules key={scope.scope} scope={scope} words={words} />)
      )}
    </>
  );
}

function ScopeRules({ scope, words }: { scope: Scope; words: readonly string[] }) {
  const rules = scope.rules.filter(({ rule }) =>
    words.every((word) => rule.toLowerCase().includes(word)),
  );
  const hasUntrusted = scope.rules.some(({ trusted }) => !trusted);
  if (rules.length === 0 && words.length > 0) return null;
  return (
    <section class="rule-scope" aria-label={titles[scope.scope] ?? scope.scope}>
      <h2>
        {titles[scope.scope] ?? showLine(scope.scope, 40)} <span class="quiet">{rules.length}</span>
      </h2>
      <p class="quiet">
        {meanings[scope.scope]} {scope.file !== null && <code>{showLine(scope.file, 300)}</code>}
      </p>
      {hasUntrusted && (
        <p class="quiet">
          Rules that are not trusted can only restrict. Review them with <code>haft trust</code>.
        </p>
      )}
      {rules.length > 0 &&
        (scope.scope === "default" && words.length === 0 ? (
          <details>
            <summary>Show {rules.length} rules</summary>
            <RuleTable rules={rules} />
          </details>
        ) : (
          <RuleTable rules={rules} hasLinks={scope.scope !== "default"} />
        ))}
    </section>
  );
}

function RuleTable({ rules, hasLinks = false }: { rules: Scope["rules"]; hasLinks?: boolean }) {
  const toSearch =
    (rule: string) =>
    ({ workspace }: { workspace?: string }) => ({
      ...(workspace !== undefined && { workspace }),
      ...{ tab: "simulate", rule },
    });
  return (
    <Table
      rows={rules.map((each, index) => ({ ...each, index }))}
      keyOf={({ rule, index }) => `${rule} ${index}`}
      columns={[
        { title: "Decides", class: "nowrap", cell: ({ action }) => <Verdict action={action} /> },
        {
          title: "Permission",
          cell: ({ permission, when }) => (
            <code>
              {showLine(permission, 100)}
              {when !== null && `@${when}`}
            </code>
          ),
        },
        {
          title: "Pattern",
          class: "rule-pattern",
          cell: ({ pattern, trusted }) => (
            <>
              <code>{showLine(pattern, 1_000)}</code>{" "}
              {!trusted && <Badge tone="warn">not trusted</Badge>}
            </>
          ),
        },
        { title: "Line", class: "number quiet", cell: ({ line }) => line ?? "" },
      ]}
      actions={
        hasLinks
          ? ({ rule }) => (
              <Link
                to="/rules"
                search={toSearch(rule) as never}
                aria-label={`Simulate ${showLine(rule, 80)}`}
              >
                Simulate
              </Link>
            )
          : undefined
      }
    />
  );
}
