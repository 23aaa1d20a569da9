import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { stream } from "../../api/stream.ts";
import { type Tool, versionsQuery } from "../../api/tools.ts";
import { Badge, ProblemNote } from "../../ui/notes.tsx";
import { LongText } from "../../ui/result-view.tsx";
import { showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toasts.tsx";

const bumps = ["patch", "minor", "major"] as const;

/** Publishes what is in the repository as a new version, and shows the log while it is built. */
export function PublishPart({ tool }: { tool: Tool }) {
  const { organization, may } = useSession();
  const { data: versions = [] } = useQuery(versionsQuery(organization, tool.id));
  const [path, setPath] = useState<string>();
  const [bump, setBump] = useState<(typeof bumps)[number]>("patch");
  const [isCandidate, setCandidate] = useState(false);
  const [lines, setLines] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const projectPath = path ?? versions[0]?.project_directory ?? tool.name;

  const publish = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    setLines([]);
    try {
      const body = { project_path: projectPath, bump_type: bump, candidate: isCandidate };
      const url = `/v1/${organization}/tool/${tool.id}/version`;
      for await (const { event: name, data } of stream(url, { method: "POST", body })) {
        const { line, state, detail } = data as { line?: string; state?: string; detail?: string };
        if (name === "error") throw new Error(detail);
        if (line !== undefined) setLines((before) => [...before.slice(-500), line]);
        else if (state !== undefined) setLines((before) => [...before, `— ${state}`]);
      }
      toast("Published.");
    } catch (error) {
      setProblem((error as Error).message);
    }
    setBusy(false);
    for (const name of ["versions", "latest", "operations"]) {
      void queries.invalidateQueries({ queryKey: [organization, name] });
    }
  };

  return (
    <>
      <form class="inline" onSubmit={(event) => void publish(event)}>
        <label>
          Folder in the repository
          <input
            required
            pattern="[\-\w\/]+"
            value={projectPath}
            onInput={(event) => setPath(event.currentTarget.value)}
          />
        </label>
        <label>
          Bump
          <select
            value={bump}
            onChange={(event) => setBump(event.currentTarget.value as typeof bump)}
          >
            {bumps.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isCandidate}
            onChange={(event) => setCandidate(event.currentTarget.checked)}
          />
          Candidate: latest stays as it is
        </label>
        <button type="submit" class="primary" disabled={isBusy || !may("Tool:ModifyTool")}>
          {isBusy ? "Publishing…" : "Publish"}
        </button>
      </form>
      {problem !== undefined && <ProblemNote text={problem} />}
      {lines.length > 0 && <LongText text={lines.join("\n")} label="Log" />}
      <Operations toolId={tool.id} />
    </>
  );
}

function Operations({ toolId }: { toolId: string }) {
  const { organization } = useSession();
  const { data } = useQuery({
    queryKey: [organization, "operations", toolId],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/{tool_id}/operation", {
          params: { path: { organization, tool_id: toolId } },
        }),
      ),
    refetchInterval: 5_000,
  });
  if (data === undefined || data.operations.length === 0) return null;
  return (
    <>
      <h2>Last operations</h2>
      {data.operations.map((each) => (
        <details key={each.id}>
          <summary>
            {each.kind}{" "}
            <Badge
              tone={each.state === "failed" ? "bad" : each.state === "active" ? "good" : "warn"}
            >
              {each.state}
            </Badge>{" "}
            {each.version}{" "}
            <span class="quiet">
              <Time at={each.started_at} />
            </span>
          </summary>
          {each.error !== null && <ProblemNote text={showLine(each.error, 2_000)} />}
          <LongText text={each.log} label="Log" />
        </details>
      ))}
    </>
  );
}
