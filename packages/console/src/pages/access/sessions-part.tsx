import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
import { Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useChange } from "./use-change.ts";

/** The browsers that are signed in. */
export function SessionsPart() {
  const { organization } = useSession();
  const path = { organization };
  const change = useChange();
  const { data, error } = useQuery({
    queryKey: [organization, "access", "browsers"],
    queryFn: async () =>
      (await ask(api.GET("/v1/{organization}/organization/console_session", { params: { path } })))
        .sessions,
  });
  if (data === undefined) return <Pending error={error} />;
  const end = (id: string): void =>
    change("Signed out.", () =>
      ask(
        api.DELETE("/v1/{organization}/organization/console_session/{session_id}", {
          params: { path: { ...path, session_id: id } },
        }),
      ),
    );
  return (
    <Table
      rows={data}
      keyOf={({ id }) => id}
      columns={[
        { title: "Browser", class: "clip", cell: ({ client }) => showLine(client, 120) },
        { title: "Key", cell: ({ api_key_id }) => <code class="id">{api_key_id}</code> },
        { title: "Signed in", cell: ({ created_at }) => <Time at={created_at} /> },
        { title: "Ends", cell: ({ expires_at }) => <Time at={expires_at} /> },
      ]}
      actions={({ id }) => (
        <button type="button" class="small" onClick={() => end(id)}>
          Sign out
        </button>
      )}
    />
  );
}
