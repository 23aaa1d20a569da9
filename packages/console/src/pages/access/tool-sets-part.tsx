import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { CopyButton } from "../../ui/command.tsx";
import { Empty, Pending } from "../../ui/notes.tsx";
import { show, showLine } from "../../ui/show.ts";
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
  const [name, setName] = useState("");
  const [tools, setTools] = useState("");
  const change = useChange();
  if (data === undefined) return <Pending error={error} />;
  const create = (event: Event): void => {
    event.preventDefault();
    const body = {
      name,
      tools: tools
        .split(/[\s,]+/u)
        .filter(Boolean)
        .map((tool_id) => ({ tool_id })),
    };
    change("Created.", () =>
      ask(api.POST("/v1/{organization}/tool/set/", { params: { path }, body: body as never })),
    );
  };
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
        <Empty title="No tool sets" commands={["npx haft tool set create support greeter"]} />
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Set</th>
                <th scope="col">Tools</th>
                <th scope="col">Instructions</th>
                <th scope="col">
                  <span class="hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {data.map((set) => (
                <tr key={set.name}>
                  <td>
                    <strong>{showLine(set.name, 80)}</strong>
                  </td>
                  <td>
                    {set.tools.map((tool) => (
                      <div key={`${tool.tool_id} ${tool.name}`}>
                        {showLine(tool.name ?? tool.tool_name, 60)}{" "}
                        <span class="quiet">{showLine(tool.version, 40)}</span>
                      </div>
                    ))}
                  </td>
                  <td class="clip">{show(set.instructions)}</td>
                  <td class="row-actions">
                    <CopyButton
                      text={`${location.origin}/v1/${organization}/mcp/${set.name}`}
                      label="Copy MCP address"
                    />
                    <button
                      type="button"
                      class="small"
                      disabled={!may("Tool:ModifyToolSet")}
                      onClick={() => remove(set.name)}
                    >
                      Delete
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {may("Tool:ModifyToolSet") && (
        <form class="inline" onSubmit={create}>
          <label>
            Name
            <input
              required
              pattern="[a-z0-9][a-z0-9_\-]*"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <label>
            Tools
            <input
              required
              value={tools}
              placeholder="greeter refund"
              onInput={(event) => setTools(event.currentTarget.value)}
            />
          </label>
          <button type="submit">Create a set</button>
        </form>
      )}
    </>
  );
}
