import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Badge, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { rolesQuery } from "./queries.ts";
import { useChange } from "./use-change.ts";

interface EditedRole {
  readonly name: string;
  readonly permissions: string;
  /** It exists, so its name stays. */
  readonly isStored: boolean;
}

const administratorRole = "DefaultAdministratorRole";
const newRole: EditedRole = { name: "", permissions: "", isStored: false };

/** The roles, and what each grants on all tools or on some. */
export function RolesPart() {
  const { organization, may } = useSession();
  const { data, error } = useQuery(rolesQuery(organization));
  const [edited, setEdited] = useState(newRole);
  const change = useChange();
  if (data === undefined) return <Pending error={error} />;
  const pathOf = (role: string) => ({ path: { organization, role_name: role } });
  const remove = (role: string): void =>
    change("Deleted.", () =>
      ask(api.DELETE("/v1/{organization}/organization/role/{role_name}", { params: pathOf(role) })),
    );
  const save = (event: Event): void => {
    event.preventDefault();
    const { name, isStored } = edited;
    const permissions = edited.permissions.split(/[\s,]+/u).filter(Boolean);
    change(isStored ? "Saved." : "Created.", async () => {
      await (isStored
        ? ask(
            api.PUT("/v1/{organization}/organization/role/{role_name}", {
              params: pathOf(name),
              body: { permissions },
            }),
          )
        : ask(
            api.POST("/v1/{organization}/organization/role/", {
              params: { path: { organization } },
              body: { name, permissions },
            }),
          ));
      setEdited(newRole);
    });
  };
  return (
    <>
      <Table
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { title: "Role", cell: ({ name }) => <strong>{showLine(name, 80)}</strong> },
          {
            title: "Grants",
            cell: ({ name, permissions }) => (
              <div class="grants">
                {name === administratorRole ? (
                  <Badge>everything</Badge>
                ) : (
                  permissions.map((each) => (
                    <Badge key={each} tone={each.includes("@") ? "accent" : "neutral"}>
                      {showLine(each, 100)}
                    </Badge>
                  ))
                )}
              </div>
            ),
          },
        ]}
        actions={({ name, permissions }) =>
          name === administratorRole ? null : (
            <>
              <button
                type="button"
                class="small"
                disabled={!may("Organization:CreateRole")}
                onClick={() =>
                  setEdited({ name, permissions: permissions.join("\n"), isStored: true })
                }
              >
                Edit
              </button>
              <ConfirmButton
                label="Delete"
                question={`Delete ${showLine(name, 60)}? It can't be restored.`}
                disabled={!may("Organization:DeleteRole")}
                onConfirm={() => remove(name)}
              />
            </>
          )
        }
      />
      {may("Organization:CreateRole") && (
        <form class="form" onSubmit={save}>
          <h2>{edited.isStored ? `Edit ${showLine(edited.name, 80)}` : "New role"}</h2>
          {!edited.isStored && (
            <label>
              Name
              <input
                required
                value={edited.name}
                onInput={(event) => setEdited({ ...edited, name: event.currentTarget.value })}
              />
            </label>
          )}
          <label>
            Permissions
            <textarea
              required
              rows={Math.max(3, edited.permissions.split("\n").length)}
              placeholder="Tool:GetTool Tool:InvokeTool@tag:team:support"
              value={edited.permissions}
              onInput={(event) => setEdited({ ...edited, permissions: event.currentTarget.value })}
            />
            <span class="hint">
              Limit one to some tools with @tool:ID, @tag:KEY:VALUE or @set:NAME. A change applies
              to the role's keys at once.
            </span>
          </label>
          <div class="actions">
            <button type="submit">{edited.isStored ? "Save" : "Create"}</button>
            {edited.isStored && (
              <button type="button" onClick={() => setEdited(newRole)}>
                Cancel
              </button>
            )}
          </div>
        </form>
      )}
    </>
  );
}
