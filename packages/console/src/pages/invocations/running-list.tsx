import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client.ts";
import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { toVersionText } from "../../api/tools.ts";
import { showLine } from "../../ui/show.ts";
import { Time } from "../../ui/time.tsx";
import { attempt } from "../../ui/toasts.tsx";

/** The invocations that run now, with what they printed last. */
export function RunningList({ nameOf }: { nameOf(toolId: string): string }) {
  const { organization } = useSession();
  const { data } = useQuery({
    queryKey: [organization, "ended", "running"],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/running", {
          params: { path: { organization } },
        }),
      ),
    refetchInterval: 3_000,
  });
  const running = data?.running_invocations ?? [];
  if (running.length === 0) return null;
  const cancel = (id: string): void =>
    void attempt(async () => {
      const params = { path: { organization, invocation_id: id } };
      await ask(api.POST("/v1/{organization}/tool/invocation/{invocation_id}/cancel", { params }));
      await queries.invalidateQueries({ queryKey: [organization, "ended"] });
    }, "Cancelled.");
  return (
    <section class="running" aria-label="Running now">
      <h2>Running now ({running.length})</h2>
      <ul>
        {running.map((each) => (
          <li key={each.id}>
            <strong>{showLine(nameOf(each.tool_id), 60)}</strong>{" "}
            <span class="quiet">
              {toVersionText(each.tool_version)}, started <Time at={each.started_at} />
            </span>
            <code>{showLine(each.logs.stdout.text.trimEnd().split("\n").at(-1) ?? "", 120)}</code>
            {each.is_async && (
              <button type="button" class="small" onClick={() => cancel(each.id)}>
                Cancel
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
