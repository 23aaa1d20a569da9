import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { Pending } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";
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
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Key</th>
            <th scope="col">Signed in</th>
            <th scope="col">Ends</th>
            <th scope="col">
              <span class="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map((each) => (
            <tr key={each.id}>
              <td class="clip">{showLine(each.client, 120)}</td>
              <td>
                <code class="id">{each.api_key_id}</code>
              </td>
              <td>
                <Time at={each.created_at} />
              </td>
              <td>
                <Time at={each.expires_at} />
              </td>
              <td class="row-actions">
                <button type="button" class="small" onClick={() => end(each.id)}>
                  Sign out
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
