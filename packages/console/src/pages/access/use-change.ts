import { queries } from "../../api/queries.ts";
import { useSession } from "../../api/session.ts";
import { attempt } from "../../ui/toasts.tsx";

/** Returns a function that changes something about access, says so, and reads it again. */
export function useChange(): (done: string, run: () => Promise<unknown>) => void {
  const { organization } = useSession();
  return (done, run) =>
    void attempt(async () => {
      await run();
      await queries.invalidateQueries({ queryKey: [organization, "access"] });
    }, done);
}
