import "../styles/rules.css";
import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../address.ts";
import { workspacesQuery } from "../api/machine.ts";
import { useSession } from "../api/session.ts";
import { Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useWorkspace, WorkspacePicker } from "../ui/workspace-picker.tsx";
import { EffectiveRules } from "./rules/effective-rules.tsx";
import { SimulatePart } from "./rules/simulate-part.tsx";
import { TesterPart } from "./rules/tester-part.tsx";

const tabs = {
  effective: "In effect",
  test: "Try a call",
  simulate: "What a rule would have done",
} as const;

/** The rules of a workspace of this machine, and what they decide about calls. */
export function Page() {
  const { organization, may } = useSession();
  const address = useAddress();
  const workspace = useWorkspace();
  const { data, error } = useQuery({
    ...workspacesQuery(organization),
    enabled: may("Machine:Read"),
  });
  const tab =
    (Object.keys(tabs) as (keyof typeof tabs)[]).find((name) => name === address.text("tab")) ??
    "effective";
  return (
    <section class="page">
      <PageHeader title="Rules">
        <WorkspacePicker {...(tab === "simulate" && { all: "All workspaces" })} />
      </PageHeader>
      {!may("Machine:Read") ? (
        <Empty title="Your role does not include the rules">
          <p class="quiet">It takes the permission Machine:Read.</p>
        </Empty>
      ) : data === undefined ? (
        <Pending error={error} />
      ) : workspace === undefined ? (
        <Empty title="No session has worked on this machine yet" commands={["npx haft agent"]}>
          <p class="quiet">Rules belong to a workspace. It is listed here after its first call.</p>
        </Empty>
      ) : (
        <>
          <Tabs
            label="Parts of rules"
            tabs={tabs}
            current={tab}
            onChange={(name) => address.change({ tab: name === "effective" ? "" : name })}
          />
          {tab === "effective" && <EffectiveRules workspace={workspace} />}
          {tab === "test" && <TesterPart workspace={workspace} />}
          {tab === "simulate" && <SimulatePart />}
        </>
      )}
    </section>
  );
}
