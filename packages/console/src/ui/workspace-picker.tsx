import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../address.ts";
import { workspacesQuery } from "../api/machine.ts";
import { useSession } from "../api/session.ts";
import { showLine } from "./show.ts";

/** The workspace that the address names, else the one that was used last; `undefined` until it is known. */
export function useWorkspace(): string | undefined {
  const { organization } = useSession();
  const { data } = useQuery(workspacesQuery(organization));
  const named = useAddress().text("workspace");
  return named || data?.find(({ exists }) => exists)?.path;
}

/** A choice of the workspaces of this machine, kept in the address. */
export function WorkspacePicker({ all }: { all?: string }) {
  const { organization } = useSession();
  const address = useAddress();
  const { data = [] } = useQuery(workspacesQuery(organization));
  const chosen = useWorkspace() ?? "";
  const current = all === undefined ? chosen : address.text("workspace");
  const paths = new Set([...data.filter(({ exists }) => exists).map(({ path }) => path)]);
  if (current !== "") paths.add(current);
  return (
    <label>
      <span class="hidden">Workspace</span>
      <select
        class="workspace-picker"
        value={current}
        onChange={(event) => address.change({ workspace: event.currentTarget.value })}
      >
        {all !== undefined && <option value="">{all}</option>}
        {[...paths].map((path) => (
          <option key={path} value={path}>
            {showLine(path, 120)}
          </option>
        ))}
      </select>
    </label>
  );
}
