import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { usersQuery } from "./queries.ts";
import { useChange } from "./use-change.ts";

/** The users of the organization. */
export function UsersPart() {
  const { organization, may } = useSession();
  const { data, error } = useQuery(usersQuery(organization));
  const [name, setName] = useState("");
  const change = useChange();
  if (data === undefined) return <Pending error={error} />;
  const create = (event: Event): void => {
    event.preventDefault();
    const params = { path: { organization } };
    change("Created.", () => ask(api.POST("/v1/{organization}/user/", { params, body: { name } })));
    setName("");
  };
  return (
    <>
      <Table
        isCompact
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { title: "Name", cell: (user) => showLine(user.name, 80) },
          { title: "ID", cell: (user) => <code class="id">{user.id}</code> },
          { title: "Created", cell: (user) => <Time at={user.created_at} /> },
        ]}
      />
      {may("User:CreateUser") && (
        <form class="inline" onSubmit={create}>
          <label>
            Name
            <input required value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <button type="submit">Create a user</button>
        </form>
      )}
    </>
  );
}
