import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Command } from "../../ui/command.tsx";
import { ConfirmButton } from "../../ui/confirm-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Badge, Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
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
      <Table
        rows={data.api_keys}
        keyOf={(key) => key.key_id}
        columns={[
          {
            title: "Name",
            cell: (key) => (
              <>
                {showLine(key.name ?? "unnamed", 60)}{" "}
                {key.key_id === own && <Badge tone="accent">this one</Badge>}
              </>
            ),
          },
          { title: "ID", cell: (key) => <code class="id">{key.key_id}</code> },
          { title: "User", cell: ({ creator: { user_id } }) => nameOf(users, user_id) },
          { title: "Role", cell: (key) => nameOf(roles, key.role_id) },
          {
            title: "Narrowed to",
            class: "clip",
            cell: ({ permissions }) =>
              permissions === null ? "–" : showLine(permissions.join(", ")),
          },
          { title: "Created", cell: (key) => <Time at={key.created_at} /> },
          {
            title: "Expires",
            cell: ({ expires_at }) =>
              Date.parse(expires_at) < Date.now() ? (
                <Badge tone="warn">expired</Badge>
              ) : (
                <Time at={expires_at} />
              ),
          },
        ]}
        actions={(key) => (
          <>
            <button
              type="button"
              class="small"
              disabled={!may("Organization:CreateAPIKey")}
              onClick={() => rotate(key.key_id)}
            >
              Rotate
            </button>
            <ConfirmButton
              label="Delete"
              question={`Delete ${key.key_id === own ? "the key that you use" : "this key"}? Its programs and browsers are refused at once.`}
              disabled={!may("Organization:DeleteAPIKey")}
              onConfirm={() => remove(key.key_id)}
            />
          </>
        )}
      />
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
    </>
  );
}

function nameOf(list: readonly { id: string; name: string }[], id: string): string {
  return showLine(list.find((each) => each.id === id)?.name ?? id, 60);
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
