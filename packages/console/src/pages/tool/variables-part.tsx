import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { type Tool, versionsQuery } from "../../api/tools.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Badge, Empty } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { useToolAction } from "./use-tool-action.ts";

/** The names of a tool's variables. Their values can be set here and never read. */
export function VariablesPart({ tool }: { tool: Tool }) {
  const { organization, may } = useSession();
  const { data: versions = [] } = useQuery(versionsQuery(organization, tool.id));
  const latest = versions.find((each) => each.latest);
  const required = [
    ...(latest?.required_envvars ?? []),
    ...(latest?.required_secret_envvars ?? []),
  ];
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [isSecret, setSecret] = useState(true);
  const run = useToolAction(tool.id);
  const known = [...tool.envvars, ...tool.secret_envvars];
  const missing = required.filter((each) => !known.includes(each));
  const change = (done: string, body: object): void =>
    run(done, (path) =>
      ask(
        api.POST("/v1/{organization}/tool/{tool_id}/envvar", {
          params: { path },
          body: body as never,
        }),
      ),
    );
  const save = (event: Event): void => {
    event.preventDefault();
    const isNew = !known.includes(name);
    change(
      "Saved.",
      isNew ? { inserts: [{ name, value, is_secret: isSecret }] } : { updates: [{ name, value }] },
    );
    setName("");
    setValue("");
  };
  return (
    <>
      {missing.length > 0 && (
        <p class="problem">
          latest needs {missing.map((each) => showLine(each, 60)).join(", ")}. Set them below.
        </p>
      )}
      {known.length === 0 ? (
        <Empty
          title="No variables"
          commands={[`npx haft env set ${showLine(tool.name)} NAME=value`]}
        />
      ) : (
        <Table
          isCompact
          rows={known}
          keyOf={(each) => each}
          columns={[
            { title: "Name", cell: (each) => <code>{showLine(each, 100)}</code> },
            {
              title: "Kind",
              cell: (each) =>
                tool.secret_envvars.includes(each) ? (
                  <Badge tone="warn">secret</Badge>
                ) : (
                  <Badge>variable</Badge>
                ),
            },
          ]}
          actions={(each) => (
            <ConfirmButton
              label="Delete"
              question={`Delete ${showLine(each, 60)}? Its value is lost.`}
              disabled={!may("Tool:ModifyTool")}
              onConfirm={() => change("Deleted.", { deletes: [{ name: each }] })}
            />
          )}
        />
      )}
      {may("Tool:ModifyTool") && (
        <form class="inline" onSubmit={save}>
          <label>
            Name
            <input
              required
              pattern="[A-Z_]+"
              value={name}
              placeholder="API_TOKEN"
              onInput={(event) => setName(event.currentTarget.value.toUpperCase())}
            />
          </label>
          <label>
            Value
            <input
              required
              type="password"
              autocomplete="off"
              value={value}
              onInput={(event) => setValue(event.currentTarget.value)}
            />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={isSecret}
              onChange={(event) => setSecret(event.currentTarget.checked)}
            />
            Secret
          </label>
          <button type="submit">Save</button>
        </form>
      )}
    </>
  );
}
