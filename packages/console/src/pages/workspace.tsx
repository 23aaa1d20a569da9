import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { queries } from "../api/queries.ts";
import {
  callWorkspace,
  readCalls,
  readStatus,
  readTools,
  type WorkspaceReply,
} from "../api/workspace.ts";
import { keepWorkspaceToken, readWorkspaceToken } from "../shell/take-from-address.ts";
import { Command } from "../ui/command.tsx";
import { Badge, PageHeader, Pending, ProblemNote } from "../ui/notes.tsx";
import { LongText, ResultView } from "../ui/result-view.tsx";
import { type FieldSchema, SchemaFields } from "../ui/schema-form.tsx";
import { show, showLine } from "../ui/show.ts";
import { formatDuration, Time } from "../ui/time.tsx";

/** The tools of the directory where the server was started: files, search, commands. */
export function Page() {
  const [token, setToken] = useState(readWorkspaceToken());
  const [entered, setEntered] = useState("");
  const { data, error } = useQuery({
    queryKey: ["workspace", "status", token],
    queryFn: readStatus,
    enabled: token !== undefined,
    retry: false,
  });
  if (token === undefined || (error !== null && data === undefined)) {
    return (
      <section class="page narrow">
        <PageHeader title="Workspace" />
        <p>
          Here you can call the tools that agents have in the directory where{" "}
          <code>haft serve</code> was started. That takes the token that it printed.
        </p>
        {error !== null && <ProblemNote text={error.message} />}
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            keepWorkspaceToken(entered);
            setToken(readWorkspaceToken());
          }}
        >
          <label>
            Token, or the link with it
            <input
              type="password"
              required
              autocomplete="off"
              value={entered}
              onInput={(event) => setEntered(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary">
            Open
          </button>
        </form>
        <Command text="npx haft serve" />
      </section>
    );
  }
  return (
    <section class="page">
      <PageHeader title="Workspace">
        <span class="quiet">{showLine(data?.workspace ?? "", 200)}</span>
      </PageHeader>
      <WorkspaceTools />
    </section>
  );
}

function WorkspaceTools() {
  const address = useAddress();
  const { data: tools, error } = useQuery({ queryKey: ["workspace", "tools"], queryFn: readTools });
  const tool = tools?.find(({ name }) => name === address.text("tool")) ?? tools?.[0];
  if (tools === undefined) return <Pending error={error} />;
  return (
    <div class="workspace">
      <nav aria-label="Tools of the workspace">
        {tools.map(({ name }) => (
          <button
            type="button"
            class="plain"
            key={name}
            aria-current={name === tool?.name}
            onClick={() => address.change({ tool: name })}
          >
            {showLine(name, 60)}
          </button>
        ))}
      </nav>
      <div>
        {tool !== undefined && <WorkspaceCall key={tool.name} tool={tool} />}
        <RecentCalls />
      </div>
    </div>
  );
}

function WorkspaceCall({
  tool,
}: {
  tool: { readonly name: string; readonly description: string; readonly input_schema: FieldSchema };
}) {
  const [input, setInput] = useState<Record<string, unknown>>({});
  const [reply, setReply] = useState<WorkspaceReply>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const call = async (approve?: unknown): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    await callWorkspace({ name: tool.name, arguments: input, approve }).then(
      setReply,
      (error: Error) => setProblem(error.message),
    );
    setBusy(false);
    void queries.invalidateQueries({ queryKey: ["workspace", "calls"] });
  };
  return (
    <>
      <h2>{showLine(tool.name, 60)}</h2>
      <p class="description">{show(tool.description)}</p>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
      >
        <SchemaFields schema={tool.input_schema} value={input} onChange={setInput} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? "Running…" : "Run"}
          </button>
        </div>
      </form>
      {problem !== undefined && <ProblemNote text={problem} />}
      {reply?.approval !== undefined ? (
        <div class="approval" role="alertdialog" aria-label="Approval">
          <p>
            Run <strong>{showLine(reply.approval.tool, 60)}</strong> with these arguments?{" "}
            <span class="quiet">{show(reply.approval.reason)}</span>
          </p>
          <LongText text={JSON.stringify(reply.approval.arguments, null, 2)} label="Arguments" />
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={isBusy}
              onClick={() => void call(reply.approval)}
            >
              Approve and run
            </button>
            <button type="button" onClick={() => setReply(undefined)}>
              Don't run
            </button>
          </div>
        </div>
      ) : (
        reply !== undefined && <CallResult reply={reply} />
      )}
    </>
  );
}

function CallResult({ reply: { result } }: { reply: WorkspaceReply }) {
  return (
    <section aria-label="Result">
      <h3>
        <Badge tone={result.type === "output" ? "good" : "bad"}>
          {result.type === "output" ? "done" : "failed"}
        </Badge>{" "}
        <span class="quiet">
          {formatDuration(result.metadata.duration_ms)}
          {result.metadata.isolation !== undefined && `, ${showLine(result.metadata.isolation)}`}
        </span>
      </h3>
      {result.metadata.warnings?.map((warning) => (
        <p class="problem" key={warning}>
          {show(warning)}
        </p>
      ))}
      {result.type === "error" ? (
        <LongText text={result.error_text} label="Error" />
      ) : (
        <ResultView
          text={
            typeof result.data === "string" ? result.data : JSON.stringify(result.data, null, 2)
          }
          label="Result"
        />
      )}
    </section>
  );
}

function RecentCalls() {
  const { data = [] } = useQuery({ queryKey: ["workspace", "calls"], queryFn: readCalls });
  if (data.length === 0) return null;
  return (
    <>
      <h2>Recent calls</h2>
      <div class="scroll">
        <table>
          <tbody>
            {data.map((call) => (
              <tr key={call.id}>
                <td>{showLine(call.name, 40)}</td>
                <td class="clip">
                  <code>{showLine(call.error_text ?? call.arguments, 120)}</code>
                </td>
                <td>
                  <Badge tone={call.error_text === undefined ? "good" : "bad"}>
                    {showLine(call.state, 20)}
                  </Badge>
                </td>
                <td class="number">{formatDuration(call.metadata.duration_ms)}</td>
                <td class="number quiet">
                  <Time at={call.ended_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
