import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import type { paths } from "../../api/schema.d.ts";
import { useSession } from "../../api/session.ts";
import { latestQuery, type Ok, toVersionText, versionsQuery } from "../../api/tools.ts";
import { Facts } from "../../ui/facts.tsx";
import { Badge, Pending, ProblemNote } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import { useToolAction } from "./use-tool-action.ts";

type Shadow = Ok<paths["/v1/{organization}/tool/{tool_id}/shadow"]["post"]>;

/** How a new version does before everybody gets it: with a part of the calls, or with recorded inputs. */
export function CanaryPart({ toolId }: { toolId: string }) {
  const { organization, may } = useSession();
  const { data, error } = useQuery({
    ...latestQuery(organization, toolId),
    refetchInterval: 5_000,
  });
  const { data: versions = [] } = useQuery(versionsQuery(organization, toolId));
  const others = versions.filter((each) => !each.latest && !each.deprecated);
  const [version, setVersion] = useState("");
  const [percent, setPercent] = useState(10);
  const run = useToolAction(toolId);
  if (data === undefined) return <Pending error={error} />;
  const chosen = version || (others[0] === undefined ? "" : toVersionText(others[0].version));
  const { canary } = data;
  const start = (event: Event): void => {
    event.preventDefault();
    run(`${chosen} gets ${percent}% of the calls.`, (path) =>
      ask(
        api.POST("/v1/{organization}/tool/{tool_id}/canary", {
          params: { path },
          body: { version: chosen, percent },
        } as never),
      ),
    );
  };
  const stop = (): void =>
    run("Stopped.", (path) =>
      ask(api.DELETE("/v1/{organization}/tool/{tool_id}/canary", { params: { path } })),
    );
  return (
    <>
      <h2>Canary</h2>
      {canary === null ? (
        <p class="quiet">There was none yet.</p>
      ) : (
        <Facts
          facts={[
            ["Version", canary.version],
            ["Part of the calls", `${canary.percent}%`],
            ["State", canary.ended_at === null ? "running" : showLine(canary.outcome ?? "ended")],
            ["Started", <Time key="at" at={canary.started_at} />],
            ["Errors", `${canary.errors} of ${canary.calls} calls`],
            ["Errors of latest", `${canary.stable_errors} of ${canary.stable_calls} calls`],
            ["Taken back if", showLine(canary.abort_if)],
          ]}
        />
      )}
      {canary !== null && canary.ended_at === null ? (
        <button type="button" disabled={!may("Tool:ModifyTool")} onClick={stop}>
          Stop the canary
        </button>
      ) : others.length === 0 ? (
        <p class="quiet">
          Publish another version, or a candidate, to try it on a part of the calls.
        </p>
      ) : (
        <form class="inline" onSubmit={start}>
          <VersionChoice
            versions={others.map((each) => toVersionText(each.version))}
            value={chosen}
            onChange={setVersion}
          />
          <label>
            Percent
            <input
              type="number"
              min={1}
              max={99}
              value={percent}
              onInput={(event) => setPercent(event.currentTarget.valueAsNumber)}
            />
          </label>
          <button type="submit" disabled={!may("Tool:ModifyTool")}>
            Start a canary
          </button>
        </form>
      )}
      <ShadowPart toolId={toolId} versions={others.map((each) => toVersionText(each.version))} />
    </>
  );
}

function VersionChoice({
  versions,
  value,
  onChange,
}: {
  versions: readonly string[];
  value: string;
  onChange(version: string): void;
}) {
  return (
    <label>
      Version
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {versions.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}

function ShadowPart({ toolId, versions }: { toolId: string; versions: readonly string[] }) {
  const { organization, may } = useSession();
  const [version, setVersion] = useState(versions[0] ?? "");
  const [report, setReport] = useState<Shadow>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (versions.length === 0) return null;
  const compare = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    const since = new Date(Date.now() - 7 * 86_400_000).toISOString();
    const params = { path: { organization, tool_id: toolId } };
    const body = { candidate: version || versions[0], since, limit: 100 };
    await ask(
      api.POST("/v1/{organization}/tool/{tool_id}/shadow", { params, body: body as never }),
    ).then(setReport, (error: Error) => setProblem(error.message));
    setBusy(false);
  };
  return (
    <>
      <h2>Shadow</h2>
      <p class="quiet">
        Runs a version in simulation with the inputs of the last 7 days and compares its outputs
        with the recorded ones. At most 100.
      </p>
      <form class="inline" onSubmit={(event) => void compare(event)}>
        <VersionChoice versions={versions} value={version} onChange={setVersion} />
        <button type="submit" disabled={isBusy || !may("Tool:InvokeTool")}>
          {isBusy ? "Comparing…" : "Compare"}
        </button>
      </form>
      {problem !== undefined && <ProblemNote text={problem} />}
      {report !== undefined && (
        <div role="status">
          <p>
            {report.same} of {report.compared} the same.
          </p>
          <ul class="differences">
            {report.differences.map((each) => (
              <li key={each.invocation_id}>
                <Badge tone={each.kind === "now-succeeds" ? "good" : "warn"}>{each.kind}</Badge>{" "}
                <code class="id">{each.invocation_id.slice(-8)}</code>
                {each.changes.map((change) => (
                  <p key={change.path}>
                    <code>{showLine(change.path, 80)}</code>:{" "}
                    {showLine(change.before ?? "nothing", 100)} →{" "}
                    {showLine(change.after ?? "nothing", 100)}
                  </p>
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
