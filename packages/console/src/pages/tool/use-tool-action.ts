import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { attempt } from "../../ui/toasts.tsx";

/** What a request about a tool has in its path. */
interface ToolPath {
  readonly organization: string;
  readonly tool_id: string;
}

/** Returns a function that changes a tool, says so, and reads again what has changed with it. */
export function useToolAction(
  toolId: string,
): (done: string, run: (path: ToolPath) => Promise<unknown>) => void {
  const { organization } = useSession();
  return (done, run) =>
    void attempt(async () => {
      await run({ organization, tool_id: toolId });
      await Promise.all(
        ["tools", "versions", "latest"].map((name) =>
          queries.invalidateQueries({ queryKey: [organization, name] }),
        ),
      );
    }, done);
}
