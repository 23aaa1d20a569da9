import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { statisticsQuery, type Tool } from "../../api/tools.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useToolAction } from "./use-tool-action.ts";

/** Asks before a tool is deprecated, with who has used it in the last 30 days. */
export function DeprecateDialog({ tool, onClose }: { tool: Tool; onClose(): void }) {
  const { organization } = useSession();
  const { data, error } = useQuery(
    statisticsQuery(organization, "caller", { days: 30, toolId: tool.id }),
  );
  const run = useToolAction(tool.id);
  return (
    <Dialog title={`Deprecate ${showLine(tool.name, 60)}?`} onClose={onClose}>
      <p>
        No version of it can be invoked afterwards. It can be restored. In the last 30 days it was
        used by:
      </p>
      {data === undefined ? (
        <Pending error={error} />
      ) : data.groups.length === 0 ? (
        <p class="quiet">No one.</p>
      ) : (
        <Table
          isCompact
          rows={data.groups}
          keyOf={({ caller }) => `${caller?.api_key_id} ${caller?.client}`}
          columns={[
            {
              title: "Key",
              cell: ({ caller }) =>
                showLine(caller?.api_key_name ?? caller?.api_key_id ?? "unknown", 40),
            },
            { title: "Client", cell: ({ caller }) => showLine(caller?.client ?? "", 40) },
            { title: "Calls", class: "number", cell: ({ count }) => count },
            { title: "Last", class: "number", cell: ({ last_at }) => <Time at={last_at} /> },
          ]}
        />
      )}
      {data?.is_partial && <p class="quiet">Only the newest invocations are counted.</p>}
      <div class="actions">
        <button
          type="button"
          class="danger"
          onClick={() => {
            run("Deprecated.", (path) =>
              ask(api.DELETE("/v1/{organization}/tool/{tool_id}", { params: { path } })),
            );
            onClose();
          }}
        >
          Deprecate
        </button>
        <button type="button" onClick={onClose}>
          Keep it
        </button>
      </div>
    </Dialog>
  );
}
