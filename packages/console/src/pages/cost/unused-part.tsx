import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Badge, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { useWorkspace } from "../../ui/workspace-picker.tsx";

/** The tools of a workspace that no session used, and what their definitions add to each request. */
export function UnusedPart({
  days,
  averageInput,
}: {
  days: number;
  averageInput: number | undefined;
}) {
  const { organization } = useSession();
  const workspace = useWorkspace();
  const { data, error } = useQuery({
    queryKey: [organization, "machine", "unused", workspace, days],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/machine/cost/unused", {
          params: { path: { organization }, query: { workspace: workspace ?? "", days } },
        }),
      ),
    enabled: workspace !== undefined,
  });
  if (workspace === undefined) return null;
  const shown = data?.tools.filter((tool) => tool.shown) ?? [];
  const tokens = shown.reduce((sum, tool) => sum + tool.definition_tokens, 0);
  const share =
    averageInput === undefined || averageInput <= tokens
      ? ""
      : `, ${Math.round((100 * tokens) / averageInput)}% of an average request`;
  return (
    <section class="unused" aria-label="Definitions that are never used">
      <h2>Definitions that are never used</h2>
      <p class="quiet">
        Tools of <code>{showLine(workspace, 200)}</code> that no session there called in this time.
      </p>
      {data === undefined ? (
        <Pending error={error} />
      ) : data.tools.length === 0 ? (
        <p>Every tool was used.</p>
      ) : (
        <>
          <p>
            <strong>≈ {tokens.toLocaleString("en")} tokens</strong> of each request are definitions
            of {shown.length} tools that were not used{share}. To leave tools out:{" "}
            <code>--tools</code>.
          </p>
          <Table
            isCompact
            rows={data.tools}
            keyOf={({ tool, source }) => `${source} ${tool}`}
            columns={[
              { title: "Tool", cell: ({ tool }) => showLine(tool, 80) },
              { title: "From", class: "quiet", cell: ({ source }) => showLine(source, 60) },
              {
                title: "Tokens per request",
                class: "number",
                cell: ({ definition_tokens: size, shown: isShown }) =>
                  isShown ? (
                    `≈ ${size.toLocaleString("en")}`
                  ) : (
                    <Badge>{`0 · only when searched, ≈ ${size.toLocaleString("en")}`}</Badge>
                  ),
              },
            ]}
          />
        </>
      )}
    </section>
  );
}
