import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Badge, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { rolesQuery } from "./queries.ts";
import { useChange } from "./use-change.ts";

/** The roles, and what each grants on all tools or on some. */
export function RolesPart() {
  const { organization, may } = useSession();
  const { data, error } = useQuery(rolesQuery(organization));
  const [name, setName] = useState("");
  const [grants, setGrants] = useState("");
  const change = useChange();
  if (data === undefined) return <Pending error={error} />;
  const path = { organization };
  const create = (event: Event): void => {
    event.preventDefault();
    const body = { name, permissions: grants.split(/[\s,]+/u).filter(Boolean) };
    change("Created.", () =>
      ask(api.POST("/v1/{organization}/organization/role/", { params: { path }, body })),
    );
  };
  const remove = (role: string): void =>
    change("Deleted.", () =>
      ask(
        api.DELETE("/v1/{organization}/organization/role/{role_name}", {
          params: { path: { ...path, role_name: role } },
        }),
      ),
    );
  return (
    <>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">Grants</th>
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map((role) => (
              <tr key={role.id}>
                <td>
                  <strong>{showLine(role.name, 80)}</strong>
                </td>
                <td class="grants">
                  {role.permissions.map((each) => (
                    <Badge key={each} tone={each.includes("@") ? "accent" : "neutral"}>
                      {each === "*" ? "everything" : showLine(each, 100)}
                    </Badge>
                  ))}
                </td>
                <td class="row-actions">
                  <button
                    type="button"
                    class="small"
                    disabled={!may("Organization:DeleteRole")}
                    onClick={() => remove(role.name)}
                  >
                    Delete
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {may("Organization:CreateRole") && (
        <form class="form" onSubmit={create}>
          <h2>New role</h2>
          <label>
            Name
            <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <label>
            Permissions
            <textarea
              required
              rows={3}
              placeholder="Tool:GetTool Tool:InvokeTool@tag:team:support"
              value={grants}
              onInput={(event) => setGrants(event.currentTarget.value)}
            />
            <span class="hint">
              Limit one to some tools with @tool:ID, @tag:KEY:VALUE or @set:NAME.
            </span>
          </label>
          <button type="submit">Create</button>
        </form>
      )}
    </>
  );
}
