import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { CopyButton } from "../../ui/command.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Empty, Pending } from "../../ui/notes.tsx";
import { show, showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { type EditedSet, ToolSetForm } from "./tool-set-form.tsx";
import { useChange } from "./use-change.ts";

/** The tool sets: what an agent gets over MCP, and what a role can be limited to. */
export function ToolSetsPart() {
  const { organization, may } = useSession();
  const path = { organization };
  const { data, error } = useQuery({
    queryKey: [organization, "access", "sets"],
    queryFn: async () =>
      (await ask(api.GET("/v1/{organization}/tool/set/", { params: { path } }))).tool_sets,
  });
  const [edited, setEdited] = useState<EditedSet>();
  const change = useChange();
  if (data === undefined) return <Pending error={error} />;
  const mayChange = may("Tool:ModifyToolSet");
  const remove = (set: string): void =>
    change("Deleted.", () =>
      ask(
        api.DELETE("/v1/{organization}/tool/set/{set_name}", {
          params: { path: { ...path, set_name: set } },
        }),
      ),
    );
  return (
    <>
      {data.length === 0 ? (
        <Empty
          title="No tool sets"
          commands={["npx haft tool set create support --tool greeter"]}
        />
      ) : (
        <Table
          rows={data}
          keyOf={({ name }) => name}
          columns={[
            { title: "Set", cell: ({ name }) => <strong>{showLine(name, 80)}</strong> },
            {
              title: "Tools",
              cell: ({ tools }) =>
                tools.map((tool) => (
                  <div key={`${tool.tool_id} ${tool.name}`}>
                    {showLine(tool.name ?? tool.tool_name, 60)}{" "}
                    <span class="quiet">
                      {tool.name !== null && `${showLine(tool.tool_name, 60)} `}
                      {showLine(tool.version, 40)}
                    </span>
                  </div>
                )),
            },
            {
              title: "Instructions",
              class: "clip",
              cell: ({ instructions }) => show(instructions),
            },
          ]}
          actions={(set) => (
            <>
              <CopyButton
                text={`${location.origin}/v1/${organization}/mcp/${set.name}`}
                label="Copy MCP address"
              />
              <button
                type="button"
                class="small"
                disabled={!mayChange}
                onClick={() => setEdited({ ...set, isStored: true })}
              >
                Edit
              </button>
              <ConfirmButton
                label="Delete"
                question={`Delete ${set.name}? Agents that use its address get no tools.`}
                disabled={!mayChange}
                onConfirm={() => remove(set.name)}
              />
            </>
          )}
        />
      )}
      {mayChange && edited === undefined && (
        <div>
          <button
            type="button"
            onClick={() => setEdited({ name: "", instructions: "", tools: [], isStored: false })}
          >
            New set
          </button>
        </div>
      )}
      {edited !== undefined && (
        <ToolSetForm key={edited.name} set={edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}
