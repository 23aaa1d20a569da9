import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Command } from "../../ui/command.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Badge, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import { rolesQuery, usersQuery } from "./queries.ts";
import { useChange } from "./use-change.ts";

/** The API keys: who has which, until when, and what they may do less than their role. */
export function KeysPart() {
  const { organization, may, api_key_id: own } = useSession();
  const path = { organization };
  const change = useChange();
  const [isCreating, setCreating] = useState(false);
  const [issued, setIssued] = useState<string>();
  const [deleting, setDeleting] = useState<string>();
  const { data, error } = useQuery({
    queryKey: [organization, "access", "keys"],
    queryFn: () => ask(api.GET("/v1/{organization}/organization/api_key/", { params: { path } })),
  });
  const { data: roles = [] } = useQuery(rolesQuery(organization));
  const { data: users = [] } = useQuery(usersQuery(organization));
  if (data === undefined) return <Pending error={error} />;
  const remove = (id: string): void =>
    change("Deleted.", () =>
      ask(
        api.DELETE("/v1/{organization}/organization/api_key/{api_key_id}/", {
          params: { path: { ...path, api_key_id: id } },
        }),
      ),
    );
  const rotate = (id: string): void =>
    change("", async () => {
      const made = await ask(
        api.POST("/v1/{organization}/organization/api_key/{api_key_id}/rotate", {
          params: { path: { ...path, api_key_id: id } },
          body: { grace: "PT1H" } as never,
        }),
      );
      setIssued(made.api_key);
    });
  return (
    <>
      <div class="part-bar">
        <span class="quiet">
          {data.api_keys.length} {data.api_keys.length === 1 ? "key" : "keys"}
        </span>
        <button
          type="button"
          disabled={!may("Organization:CreateAPIKey")}
          onClick={() => setCreating(true)}
        >
          New key…
        </button>
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">ID</th>
              <th scope="col">User</th>
              <th scope="col">Role</th>
              <th scope="col">Narrowed to</th>
              <th scope="col">Created</th>
              <th scope="col">Expires</th>
              <th scope="col">
                <span class="hidden">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.api_keys.map((key) => (
              <tr key={key.key_id}>
                <td>
                  {showLine(key.name ?? "unnamed", 60)}{" "}
                  {key.key_id === own && <Badge tone="accent">this one</Badge>}
                </td>
                <td>
                  <code class="id">{key.key_id}</code>
                </td>
                <td>
                  {showLine(
                    users.find(({ id }) => id === key.creator.user_id)?.name ?? key.creator.user_id,
                    60,
                  )}
                </td>
                <td>
                  {showLine(roles.find(({ id }) => id === key.role_id)?.name ?? key.role_id, 60)}
                </td>
                <td class="clip">
                  {key.permissions === null ? "–" : showLine(key.permissions.join(", "))}
                </td>
                <td>
                  <Time at={key.created_at} />
                </td>
                <td>
                  {Date.parse(key.expires_at) < Date.now() ? (
                    <Badge tone="warn">expired</Badge>
                  ) : (
                    <Time at={key.expires_at} />
                  )}
                </td>
                <td class="row-actions">
                  <button
                    type="button"
                    class="small"
                    disabled={!may("Organization:CreateAPIKey")}
                    onClick={() => rotate(key.key_id)}
                  >
                    Rotate
                  </button>
                  <button
                    type="button"
                    class="small"
                    disabled={!may("Organization:DeleteAPIKey")}
                    onClick={() => setDeleting(key.key_id)}
                  >
                    Delete…
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {isCreating && (
        <NewKey
          roles={roles.map(({ name }) => name)}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setIssued(key);
          }}
        />
      )}
      {issued !== undefined && (
        <Dialog title="The new key" onClose={() => setIssued(undefined)}>
          <p>It is shown only now. Only its hash is stored.</p>
          <Command text={issued} />
        </Dialog>
      )}
      {deleting !== undefined && (
        <Dialog title="Delete this key?" onClose={() => setDeleting(undefined)}>
          <p>
            Programs and browsers that use it are refused at once
            {deleting === own && ", this one too"}.
          </p>
          <div class="actions">
            <button
              type="button"
              class="danger"
              onClick={() => {
                remove(deleting);
                setDeleting(undefined);
              }}
            >
              Delete
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const durations = { P1D: "1 day", P30D: "30 days", P90D: "90 days", P365D: "1 year" } as const;

function NewKey({
  roles,
  onClose,
  onCreated,
}: {
  roles: readonly string[];
  onClose(): void;
  onCreated(key: string): void;
}) {
  const { organization } = useSession();
  const change = useChange();
  const [name, setName] = useState("");
  const [role, setRole] = useState(roles[0] ?? "");
  const [duration, setDuration] = useState("P90D");
  const [narrowed, setNarrowed] = useState("");
  const create = (event: Event): void => {
    event.preventDefault();
    const permissions = narrowed.split(/[\s,]+/u).filter(Boolean);
    change("", async () => {
      const body = {
        ...{ name, role_name: role, duration },
        ...(permissions.length > 0 && { permissions }),
      };
      const params = { path: { organization } };
      const { api_key } = await ask(
        api.POST("/v1/{organization}/organization/api_key/", { params, body }),
      );
      onCreated(api_key);
    });
  };
  return (
    <Dialog title="New key" onClose={onClose}>
      <form class="form" onSubmit={create}>
        <label>
          Name
          <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <label>
          Role
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {showLine(each, 60)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Valid for
          <select value={duration} onChange={(event) => setDuration(event.currentTarget.value)}>
            {Object.entries(durations).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Narrowed to (optional)
          <input
            value={narrowed}
            placeholder="Tool:InvokeTool@set:support"
            onInput={(event) => setNarrowed(event.currentTarget.value)}
          />
          <span class="hint">Permissions. The key may do what both these and its role allow.</span>
        </label>
        <button type="submit" class="primary">
          Create
        </button>
      </form>
    </Dialog>
  );
}
