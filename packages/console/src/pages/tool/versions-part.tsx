import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { latestQuery, toVersionText, versionsQuery } from "../../api/tools.ts";
import { JsonTree } from "../../ui/json-tree.tsx";
import { Badge, Empty, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { usersQuery } from "../access/queries.ts";
import { useToolAction } from "./use-tool-action.ts";

/** The versions of a tool, and what can be done with each. */
export function VersionsPart({ toolId }: { toolId: string }) {
  const { organization, may } = useSession();
  const { data, error } = useQuery(versionsQuery(organization, toolId));
  const { data: latest } = useQuery(latestQuery(organization, toolId));
  const { data: users = [] } = useQuery(usersQuery(organization));
  const run = useToolAction(toolId);
  const mayChange = may("Tool:ModifyTool");
  if (data === undefined) return <Pending error={error} />;
  if (data.length === 0) {
    return (
      <Empty
        title="No version yet"
        commands={["npx haft tool publish --path greeter --push --bump minor"]}
      />
    );
  }
  const promote = (version: string): void =>
    run(`latest is now ${version}.`, (path) =>
      ask(
        api.POST("/v1/{organization}/tool/{tool_id}/latest", {
          params: { path },
          body: { version },
        }),
      ),
    );
  const rollBack = (): void =>
    run("Rolled back.", (path) =>
      ask(api.POST("/v1/{organization}/tool/{tool_id}/latest/rollback", { params: { path } })),
    );
  const restore = (versions: string): void =>
    run(`Restored ${versions}.`, (path) =>
      ask(
        api.POST("/v1/{organization}/tool/{tool_id}/version/{versions}/restore", {
          params: { path: { ...path, versions } },
        }),
      ),
    );
  const deprecate = (versions: string): void =>
    run(`Deprecated ${versions}.`, (path) =>
      ask(
        api.DELETE("/v1/{organization}/tool/{tool_id}/version/{versions}", {
          params: { path: { ...path, versions: `==${versions}` } },
        }),
      ),
    );
  const shown = data.find((each) => each.latest) ?? data[0];
  const action = (label: string, act: () => void) => (
    <button type="button" class="small" disabled={!mayChange} onClick={act}>
      {label}
    </button>
  );
  const nameOf = (id: string): string =>
    showLine(users.find((user) => user.id === id)?.name ?? id.slice(-8), 40);
  return (
    <>
      <div class="part-bar">
        <span>
          latest is <strong>{latest?.latest ?? "none"}</strong>
        </span>
        <button
          type="button"
          disabled={!mayChange || (latest?.moves.length ?? 0) < 2}
          onClick={rollBack}
        >
          Roll back
        </button>
      </div>
      <Table
        rows={data.map((each, index) => ({
          ...each,
          name: toVersionText(each.version),
          before: data[index + 1]?.version,
        }))}
        keyOf={({ id }) => id}
        columns={[
          {
            title: "Version",
            cell: (each) => (
              <>
                <strong>{each.name}</strong> {each.latest && <Badge tone="accent">latest</Badge>}{" "}
                {each.candidate && <Badge>candidate</Badge>}{" "}
                {each.deprecated && <Badge tone="warn">deprecated</Badge>}
              </>
            ),
          },
          {
            title: "Published",
            cell: ({ created_at }) => created_at !== undefined && <Time at={created_at} />,
          },
          { title: "By", cell: ({ creator }) => nameOf(creator.user_id) },
          {
            title: "Commit",
            cell: (each) => <code class="id">{showLine(each.tool_commit_hash.slice(0, 10))}</code>,
          },
          {
            title: "Digest",
            cell: (each) => <code class="id">{each.artifact_digest.slice(0, 10)}</code>,
          },
          {
            title: "Hosts",
            class: "clip",
            cell: (each) => showLine(each.allowed_hosts.join(", ") || "none", 60),
          },
        ]}
        actions={({ name, before, latest: isLatest, deprecated }) => (
          <>
            {before !== undefined && (
              <Link
                to={`/tools/${toolId}` as never}
                search={{ tab: "diff", from: toVersionText(before), to: name } as never}
              >
                Differences
              </Link>
            )}
            {!isLatest && !deprecated && action("Promote", () => promote(name))}
            {deprecated
              ? action("Restore", () => restore(name))
              : action("Deprecate", () => deprecate(name))}
          </>
        )}
      />
      {shown !== undefined && (
        <>
          <h2>Input schema of {toVersionText(shown.version)}</h2>
          <JsonTree value={shown.input_schema} label="Input schema" />
        </>
      )}
      {latest !== undefined && latest.moves.length > 0 && (
        <>
          <h2>Moves of latest</h2>
          <ul class="moves">
            {latest.moves.map((move) => (
              <li key={`${move.created_at} ${move.to}`}>
                <Time at={move.created_at} /> {move.reason}: {move.from ?? "none"} →{" "}
                {move.to ?? "none"} <span class="quiet">by {nameOf(move.user_id)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
