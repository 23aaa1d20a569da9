import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "preact/hooks";
import { usePathPart } from "../address.ts";
import { ApiError, api, ask } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { type Invocation, toolsQuery, toVersionText, versionsQuery } from "../api/tools.ts";
import { CopyButton } from "../ui/command.tsx";
import { Facts } from "../ui/facts.tsx";
import { Badge, PageHeader, Pending } from "../ui/notes.tsx";
import { LongText, ResultView } from "../ui/result-view.tsx";
import { showLine } from "../ui/show.ts";
import { formatDuration, formatMoment, Time } from "../ui/time.tsx";
import { RetryDialog } from "./invocations/retry-dialog.tsx";
import { RunningInvocation } from "./invocations/running-invocation.tsx";

/** One invocation in full. */
export function Page() {
  const { organization, may } = useSession();
  const id = usePathPart("invocationId");
  const navigate = useNavigate();
  const [isRetrying, setRetrying] = useState(false);
  const { data: tools } = useQuery(toolsQuery(organization));
  const { data, error } = useQuery({
    queryKey: [organization, "ended", "invocation", id],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/{invocation_id}", {
          params: { path: { organization, invocation_id: id } },
        }),
      ),
  });
  const { data: versions } = useQuery(versionsQuery(organization, data?.tool_id ?? ""));
  if (data === undefined) {
    const isUnknown = error instanceof ApiError && error.status === 404;
    return isUnknown ? <RunningInvocation id={id} /> : <Pending error={error} />;
  }
  const tool = tools?.find((each) => each.id === data.tool_id);
  const name = tool?.name ?? data.tool_id;
  const { invocation_status: status } = data;
  const version = versions?.find(
    (each) => toVersionText(each.version) === toVersionText(data.tool_version),
  );
  const hosts = version?.allowed_hosts.map((host) => showLine(host, 60)).join(", ") || "none";
  return (
    <section class="page">
      <PageHeader
        title={
          <>
            {showLine(name, 80)}{" "}
            <Badge tone={status.succeeded ? "good" : "bad"}>
              {status.succeeded ? "succeeded" : "failed"}
            </Badge>
          </>
        }
      >
        <button type="button" disabled={!may("Tool:InvokeTool")} onClick={() => setRetrying(true)}>
          Retry…
        </button>
        <button
          type="button"
          onClick={() =>
            void navigate({
              to: "/try",
              search: { tool: name, from: id },
            } as never)
          }
        >
          Open in Try it
        </button>
        <CopyButton
          text={`${location.origin}/invocations/${id}?org=${organization}`}
          label="Copy link"
        />
      </PageHeader>
      <Facts
        facts={[
          [
            "Tool",
            <Link key="tool" to={`/tools/${data.tool_id}` as never}>
              {showLine(name, 80)}
            </Link>,
          ],
          ["Version", toVersionText(data.tool_version)],
          [
            "Started",
            <span key="at">
              <Time at={data.created_at} />, {formatMoment(data.created_at)}
            </span>,
          ],
          ["Duration", formatDuration(data.duration_ms)],
          ["Key", showLine(data.caller?.api_key_name ?? data.caller?.api_key_id ?? "unknown", 60)],
          ["User", showLine(data.caller?.user_id ?? "unknown", 60)],
          ["Client", showLine(data.caller?.client ?? "unknown", 80)],
          ["Source", showLine(describeSource(data.invocation_source))],
          ["Isolation", `Sandbox with files of its own; network: ${hosts}`],
          ...(data.unrecorded === null
            ? []
            : [["Not recorded", showLine(data.unrecorded)] as const]),
          [
            "ID",
            <code key="id" class="id">
              {data.id}
            </code>,
          ],
        ]}
      />
      <Related label="Retry of" ids={data.retry_of === null ? [] : [data.retry_of]} />
      <Related label="Retried as" ids={data.retried_by} />
      <Status status={status} />
      <h2>Input</h2>
      <ResultView text={JSON.stringify(data.inputs, null, 2)} label="Input" />
      <Logs organization={organization} id={id} />
      {isRetrying && <RetryDialog ids={[id]} onClose={() => setRetrying(false)} />}
    </section>
  );
}

function Status({ status }: { status: Invocation["invocation_status"] }) {
  if (status.succeeded) {
    return (
      <>
        <h2>Output</h2>
        <ResultView text={status.output} label="Output" />
      </>
    );
  }
  return (
    <>
      <h2>Error</h2>
      <p class="error-text">
        <strong class="bad">{showLine(status.exception_type, 100)}</strong>
      </p>
      <LongText text={status.exception_message} label="Message" />
      {status.exception_stack_trace.length > 0 && (
        <details open>
          <summary>Stack trace</summary>
          <LongText text={status.exception_stack_trace.join("\n")} label="Stack trace" />
        </details>
      )}
    </>
  );
}

function Related({ label, ids }: { label: string; ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <p class="related">
      {label}:{" "}
      {ids.map((id) => (
        <Link key={id} to={`/invocations/${id}` as never}>
          {id}
        </Link>
      ))}
    </p>
  );
}

function Logs({ organization, id }: { organization: string; id: string }) {
  const { data } = useQuery({
    queryKey: [organization, "logs", id],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/{invocation_id}/logs", {
          params: { path: { organization, invocation_id: id } },
        }),
      ),
  });
  const streams = (["stdout", "stderr"] as const).filter((name) => data?.[name].text !== "");
  if (data === undefined || streams.length === 0) return null;
  return (
    <>
      <h2>Logs</h2>
      {streams.map((name) => (
        <div key={name}>
          <h3>{name}</h3>
          <LongText text={data[name].text} label={name} />
          {data[name].omitted_characters > 0 && (
            <p class="quiet">{data[name].omitted_characters} characters were left out.</p>
          )}
        </div>
      ))}
    </>
  );
}

function describeSource(source: { type: string; conversation_id?: string | null }): string {
  const { type, conversation_id: conversation } = source;
  return conversation == null ? type : `${type}, conversation ${conversation}`;
}
