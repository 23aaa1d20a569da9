import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { toolsQuery } from "../../api/tools.ts";
import { showLine } from "../../ui/show.ts";
import { useChange } from "./use-change.ts";

interface SetTool {
  readonly tool_id: string;
  /** An exact version, `latest` or a constraint. */
  readonly version: string;
  /** Its name in the set; `null`: its own. */
  readonly name: string | null;
  readonly instructions: string;
}

/** A tool set while it is edited. */
export interface EditedSet {
  readonly name: string;
  readonly instructions: string;
  readonly tools: readonly SetTool[];
  /** It exists, so its name stays. */
  readonly isStored: boolean;
}

/** The form that creates a tool set or changes one. */
export function ToolSetForm({ set, onClose }: { set: EditedSet; onClose(): void }) {
  const { organization } = useSession();
  const { data: all = [] } = useQuery(toolsQuery(organization));
  const [edited, setEdited] = useState(set);
  const change = useChange();
  const changeTool = (index: number, changes: Partial<SetTool>): void =>
    setEdited({
      ...edited,
      tools: edited.tools.map((tool, at) => (at === index ? { ...tool, ...changes } : tool)),
    });
  const save = (event: Event): void => {
    event.preventDefault();
    const { name, instructions, isStored } = edited;
    const tools = edited.tools.map((tool) => ({
      ...{ tool_id: tool.tool_id, version: tool.version },
      ...{ name: tool.name, instructions: tool.instructions },
    }));
    change(isStored ? "Saved." : "Created.", async () => {
      await (isStored
        ? ask(
            api.PUT("/v1/{organization}/tool/set/{set_name}", {
              params: { path: { organization, set_name: name } },
              body: { instructions, tools },
            }),
          )
        : ask(
            api.POST("/v1/{organization}/tool/set/", {
              params: { path: { organization } },
              body: { name, instructions, tools },
            }),
          ));
      onClose();
    });
  };
  return (
    <form class="form" onSubmit={save}>
      <h2>{edited.isStored ? `Edit ${edited.name}` : "New set"}</h2>
      {!edited.isStored && (
        <label>
          Name
          <input
            required
            pattern="[a-z0-9][a-z0-9_\-]*"
            placeholder="support"
            value={edited.name}
            onInput={(event) => setEdited({ ...edited, name: event.currentTarget.value })}
          />
        </label>
      )}
      <label>
        Instructions for the model (optional)
        <textarea
          rows={2}
          value={edited.instructions}
          onInput={(event) => setEdited({ ...edited, instructions: event.currentTarget.value })}
        />
      </label>
      {edited.tools.map((tool, index) => (
        <fieldset class="members set-tool" key={String(index)}>
          <legend>Tool {index + 1}</legend>
          <label>
            Tool
            <select
              required
              value={tool.tool_id}
              onChange={(event) => changeTool(index, { tool_id: event.currentTarget.value })}
            >
              <option value="">Choose one</option>
              {all
                .filter(({ id, deprecated }) => !deprecated || id === tool.tool_id)
                .map(({ id, name }) => (
                  <option key={id} value={id}>
                    {showLine(name, 60)}
                  </option>
                ))}
            </select>
          </label>
          <label>
            Version
            <input
              required
              value={tool.version}
              placeholder=">=1.2,<2"
              onInput={(event) => changeTool(index, { version: event.currentTarget.value })}
            />
          </label>
          <label>
            Name in the set
            <input
              value={tool.name ?? ""}
              placeholder="its own"
              onInput={(event) => changeTool(index, { name: event.currentTarget.value || null })}
            />
          </label>
          <label>
            Instructions
            <input
              value={tool.instructions}
              onInput={(event) => changeTool(index, { instructions: event.currentTarget.value })}
            />
          </label>
          <button
            type="button"
            class="small"
            onClick={() =>
              setEdited({ ...edited, tools: edited.tools.filter((_, at) => at !== index) })
            }
          >
            Remove
          </button>
        </fieldset>
      ))}
      <div class="actions">
        <button
          type="button"
          onClick={() => {
            const added = { tool_id: "", version: "latest", name: null, instructions: "" };
            setEdited({ ...edited, tools: [...edited.tools, added] });
          }}
        >
          Add a tool
        </button>
        <button type="submit" class="primary" disabled={edited.tools.length === 0}>
          {edited.isStored ? "Save" : "Create"}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}
