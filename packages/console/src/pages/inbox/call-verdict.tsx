import { useQuery } from "@tanstack/react-query";
import { api, ask } from "../../api/client.ts";
import type { InboxItem } from "../../api/inbox.ts";
import { useSession } from "../../api/session.ts";
import { CallUses } from "../../ui/call-uses.tsx";
import { LayerTable } from "../../ui/layer-table.tsx";

/** What a waiting call touches, and what every layer says about it now. */
export function CallVerdict({ item }: { item: InboxItem }) {
  const { organization, may } = useSession();
  const { call, source, tool_name: tool, arguments: args } = item;
  const workspace = call?.workspace ?? "";
  const session = source.id.slice(source.id.lastIndexOf("/") + 1);
  const { data } = useQuery({
    queryKey: [organization, "machine", "check", "item", item.id],
    queryFn: () =>
      ask(
        api.POST("/v1/{organization}/machine/rules/check", {
          params: { path: { organization } },
          body: { workspace, session, tool, arguments: args },
        }),
      ),
    // A server that does not show its machine has an inbox all the same.
    retry: false,
    enabled: may("Machine:Read"),
  });
  if (data === undefined) return null;
  return (
    <>
      <CallUses uses={data.uses} />
      <details>
        <summary>What every layer says</summary>
        <LayerTable layers={data.layers} stage={data.stage} />
      </details>
    </>
  );
}
