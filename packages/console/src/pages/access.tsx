import { useAddress } from "../address.ts";
import { useSession } from "../api/session.ts";
import { PageHeader } from "../ui/notes.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { KeysPart } from "./access/keys-part.tsx";
import { RolesPart } from "./access/roles-part.tsx";
import { SessionsPart } from "./access/sessions-part.tsx";
import { ToolSetsPart } from "./access/tool-sets-part.tsx";
import { UsersPart } from "./access/users-part.tsx";

const tabs = {
  keys: "Keys",
  users: "Users",
  roles: "Roles and grants",
  sets: "Tool sets",
  browsers: "Browsers",
} as const;

/** Who may do what: keys, users, roles with their grants, tool sets and signed-in browsers. */
export function Page() {
  const address = useAddress();
  const { role } = useSession();
  const tab =
    (Object.keys(tabs) as (keyof typeof tabs)[]).find((name) => name === address.text("tab")) ??
    "keys";
  return (
    <section class="page">
      <PageHeader title="Access">
        <span class="quiet">You are signed in with the role {role}</span>
      </PageHeader>
      <Tabs
        label="Parts of access"
        tabs={tabs}
        current={tab}
        onChange={(name) => address.change({ tab: name === "keys" ? "" : name })}
      />
      {tab === "keys" && <KeysPart />}
      {tab === "users" && <UsersPart />}
      {tab === "roles" && <RolesPart />}
      {tab === "sets" && <ToolSetsPart />}
      {tab === "browsers" && <SessionsPart />}
    </section>
  );
}
