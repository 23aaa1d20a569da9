import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "preact/hooks";
import { useAddress, usePathPart } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { toolsQuery } from "../api/tools.ts";
import { InvocationRow } from "../ui/invocation-row.tsx";
import { Badge, Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { show, showLine } from "../ui/show.ts";
import { Tabs } from "../ui/tabs.tsx";
import { CanaryPart } from "./tool/canary-part.tsx";
import { DeprecateDialog } from "./tool/deprecate-dialog.tsx";
import { DiffPart } from "./tool/diff-part.tsx";
import { PublishPart } from "./tool/publish-part.tsx";
import { useToolAction } from "./tool/use-tool-action.ts";
import { VariablesPart } from "./tool/variables-part.tsx";
import { VersionsPart } from "./tool/versions-part.tsx";

const tabs = {
  versions: "Versions",
  diff: "Differences",
  release: "Canary and shadow",
  variables: "Variables",
  publish: "Publish",
  calls: "Invocations",
} as const;

/** One tool: its versions, what changed, how releases do, its variables and last invocations. */
export function Page() {
  const { organization, may } = useSession();
  const toolId = usePathPart("toolId");
  const address = useAddress();
  const { data, error } = useQuery(toolsQuery(organization));
  const [isDeprecating, setDeprecating] = useState(false);
  const run = useToolAction(toolId);
  const tool = data?.find(({ id }) => id === toolId);
  if (tool === undefined) {
    return (
      <section class="page">
        {data === undefined ? <Pending error={error} /> : <Empty title="There is no such tool" />}
      </section>
    );
  }
  const tab =
    (Object.keys(tabs) as (keyof typeof tabs)[]).find((name) => name === address.text("tab")) ??
    "versions";
  const restore = (): void =>
    run("Restored.", (path) =>
      ask(api.POST("/v1/{organization}/tool/{tool_id}/restore", { params: { path } })),
    );
  return (
    <section class="page">
      <PageHeader
        title={
          <>
            {showLine(tool.name, 80)} {tool.deprecated && <Badge tone="warn">deprecated</Badge>}
          </>
        }
      >
        <Link to="/try" search={{ tool: tool.name } as never} class="button primary">
          Try it
        </Link>
        {tool.deprecated ? (
          <button type="button" disabled={!may("Tool:DeleteTool")} onClick={restore}>
            Restore
          </button>
        ) : (
          <button
            type="button"
            disabled={!may("Tool:DeleteTool")}
            onClick={() => setDeprecating(true)}
          >
            Deprecate…
          </button>
        )}
      </PageHeader>
      <p class="description">{show(tool.description)}</p>
      {tool.tags.length > 0 && (
        <p class="tags">
          {tool.tags.map(({ key, value }) => (
            <Badge key={key}>{showLine(value === null ? key : `${key}: ${value}`, 60)}</Badge>
          ))}
        </p>
      )}
      <Tabs
        label="Parts of the tool"
        tabs={tabs}
        current={tab}
        onChange={(name) => address.change({ tab: name === "versions" ? "" : name })}
      />
      {tab === "versions" && <VersionsPart toolId={toolId} />}
      {tab === "diff" && <DiffPart toolId={toolId} />}
      {tab === "release" && <CanaryPart toolId={toolId} />}
      {tab === "variables" && <VariablesPart tool={tool} />}
      {tab === "publish" && <PublishPart tool={tool} />}
      {tab === "calls" && <LastInvocations toolId={toolId} toolName={tool.name} />}
      {isDeprecating && <DeprecateDialog tool={tool} onClose={() => setDeprecating(false)} />}
    </section>
  );
}

function LastInvocations({ toolId, toolName }: { toolId: string; toolName: string }) {
  const { organization } = useSession();
  const { data, error } = useQuery({
    queryKey: [organization, "ended", "last", toolId],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/summary", {
          params: { path: { organization }, query: { tool_id: [toolId], limit: 20 } },
        }),
      ),
  });
  if (data === undefined) return <Pending error={error} />;
  if (data.invocations.length === 0) {
    return (
      <Empty
        title="Not invoked yet"
        commands={[`npx haft tool invoke ${showLine(toolName)} '{}'`]}
      />
    );
  }
  return (
    <>
      <div class="rows">
        {data.invocations.map((row) => (
          <InvocationRow key={row.id} row={row} toolName={toolName} />
        ))}
      </div>
      <p>
        <Link to="/invocations" search={{ tool: toolName } as never}>
          All invocations of this tool
        </Link>
      </p>
    </>
  );
}
