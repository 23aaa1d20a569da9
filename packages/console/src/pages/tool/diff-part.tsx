import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../../address.ts";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { type ToolVersion, toVersionText, versionsQuery } from "../../api/tools.ts";
import { DiffView } from "../../ui/lazy.tsx";
import { Empty, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";

/** What differs between two versions: schemas and code. */
export function DiffPart({ toolId }: { toolId: string }) {
  const { organization, may } = useSession();
  const address = useAddress();
  const { data, error } = useQuery(versionsQuery(organization, toolId));
  if (data === undefined) return <Pending error={error} />;
  if (data.length < 2) return <Empty title="There is only one version" />;
  const find = (text: string): ToolVersion | undefined =>
    data.find((each) => toVersionText(each.version) === text);
  const to = find(address.text("to")) ?? (data[0] as ToolVersion);
  const from = find(address.text("from")) ?? (data[1] as ToolVersion);
  const choose = (name: "from" | "to", chosen: ToolVersion) => (
    <label>
      {name === "from" ? "From" : "To"}
      <select
        value={toVersionText(chosen.version)}
        onChange={(event) => address.change({ [name]: event.currentTarget.value })}
      >
        {data.map((each) => (
          <option key={each.id}>{toVersionText(each.version)}</option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <div class="part-bar">
        {choose("from", from)}
        {choose("to", to)}
      </div>
      <SchemaDiff name="Input schema" before={from.input_schema} after={to.input_schema} />
      <SchemaDiff name="Output schema" before={from.output_schema} after={to.output_schema} />
      {may("Tool:AccessRepo") && <CodeDiff from={from} to={to} />}
    </>
  );
}

function SchemaDiff({ name, before, after }: { name: string; before: unknown; after: unknown }) {
  const [one, other] = [before, after].map((schema) => JSON.stringify(schema, null, 2));
  if (one === undefined || other === undefined) return null;
  if (one === other) return <p class="quiet">{name}: no differences.</p>;
  return (
    <>
      <h2>{name}</h2>
      <DiffView label={name} before={one} after={other} path="schema.json" />
    </>
  );
}

function CodeDiff({ from, to }: { from: ToolVersion; to: ToolVersion }) {
  const { organization } = useSession();
  const commits = [from.tool_commit_hash, to.tool_commit_hash] as const;
  const { data, error } = useQuery({
    queryKey: [organization, "diff", ...commits, to.project_directory],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/repository/diff", {
          params: {
            path: { organization },
            query: { from: commits[0], to: commits[1], path: to.project_directory },
          },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return <Pending error={error} />;
  if (data.files.length === 0) return <p class="quiet">Code: no differences.</p>;
  return (
    <>
      <h2>Code</h2>
      {data.truncated && <p class="quiet">There are more files than are shown here.</p>}
      {data.files.map((file) => (
        <details key={file.path} open={data.files.length <= 5}>
          <summary>
            {showLine(file.path, 200)}{" "}
            <span class="quiet">
              {file.status}, +{file.additions ?? 0} −{file.deletions ?? 0}
            </span>
          </summary>
          <FileDiff path={file.path} before={file.previous_path ?? file.path} commits={commits} />
        </details>
      ))}
    </>
  );
}

function FileDiff({
  path,
  before,
  commits,
}: {
  path: string;
  before: string;
  commits: readonly [string, string];
}) {
  const { organization } = useSession();
  const { data, error } = useQuery({
    queryKey: [organization, "files", path, ...commits],
    queryFn: () =>
      Promise.all(
        [before, path].map((each, index) =>
          ask(
            api.GET("/v1/{organization}/tool/repository/file", {
              params: {
                path: { organization },
                query: { ref: commits[index] as string, path: each },
              },
            }),
          ).then(
            ({ encoding, content }) => (encoding === "utf-8" ? content : "Not text."),
            // It is not there in one of them.
            () => "",
          ),
        ),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return <Pending error={error} />;
  return (
    <DiffView label={showLine(path, 80)} before={data[0] ?? ""} after={data[1] ?? ""} path={path} />
  );
}
