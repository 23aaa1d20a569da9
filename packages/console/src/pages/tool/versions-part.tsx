import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { latestQuery, toVersionText, versionsQuery } from "../../api/tools.ts";
import { JsonTree } from "../../ui/json-tree.tsx";
import { Badge, Empty, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import { useToolAction } from "./use-tool-action.ts";

/** The versions of a tool, and what can be done with each. */
export function VersionsPart({ toolId }: { toolId: string }) {
  const { organization, may } = useSession();
  const { data, error } = useQuery(versionsQuery(organization, toolId));
  const { data: latest } = useQuery(latestQuery(organization, toolId));
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
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Published</th>
              <th scope="col">By</th>
              <th scope="col">Commit</th>
              <th scope="col">Digest</th>
              <th scope="col">Hosts</th>
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((each, index) => {
              const version = toVersionText(each.version);
              const before = data[index + 1];
              return (
                <tr key={each.id}>
                  <td>
                    <strong>{version}</strong> {each.latest && <Badge tone="accent">latest</Badge>}{" "}
                    {each.candidate && <Badge>candidate</Badge>}{" "}
                    {each.deprecated && <Badge tone="warn">deprecated</Badge>}
                  </td>
                  <td>{each.created_at !== undefined && <Time at={each.created_at} />}</td>
                  <td>
                    <code class="id">{each.creator.user_id.slice(-8)}</code>
                  </td>
                  <td>
                    <code class="id">{showLine(each.tool_commit_hash.slice(0, 10))}</code>
                  </td>
                  <td>
                    <code class="id">{each.artifact_digest.slice(0, 10)}</code>
                  </td>
                  <td class="clip">{showLine(each.allowed_hosts.join(", ") || "none", 60)}</td>
                  <td class="row-actions">
                    {before !== undefined && (
                      <Link
                        to={`/tools/${toolId}` as never}
                        search={
                          { tab: "diff", from: toVersionText(before.version), to: version } as never
                        }
                      >
                        Differences
                      </Link>
                    )}
                    {!each.latest && !each.deprecated && (
                      <button
                        type="button"
                        class="small"
                        disabled={!mayChange}
                        onClick={() => promote(version)}
                      >
                        Promote
                      </button>
                    )}
                    {each.deprecated ? (
                      <button
                        type="button"
                        class="small"
                        disabled={!mayChange}
                        onClick={() => restore(version)}
                      >
                        Restore
                      </button>
                    ) : (
                      <button
                        type="button"
                        class="small"
                        disabled={!mayChange}
                        onClick={() => deprecate(version)}
                      >
                        Deprecate
                      </button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <h2>
        Input schema of{" "}
        {toVersionText(
          (data.find((each) => each.latest) ?? data[0])?.version ?? {
            major: 0,
            minor: 0,
            patch: 0,
          },
        )}
      </h2>
      <JsonTree
        value={(data.find((each) => each.latest) ?? data[0])?.input_schema}
        label="Input schema"
      />
      {latest !== undefined && latest.moves.length > 0 && (
        <>
          <h2>Moves of latest</h2>
          <ul class="moves">
            {latest.moves.map((move) => (
              <li key={`${move.created_at} ${move.to}`}>
                <Time at={move.created_at} /> {move.reason}: {move.from ?? "none"} →{" "}
                {move.to ?? "none"} <span class="quiet">by {move.user_id.slice(-8)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
