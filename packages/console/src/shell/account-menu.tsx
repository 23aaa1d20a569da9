import { useState } from "preact/hooks";
import { useSession } from "../api/session.ts";
import { show } from "../ui/show.ts";
import { applyTheme, readTheme, type Theme } from "./theme.ts";

/** The organization, the way to others, the look and the way out. */
export function AccountMenu() {
  const session = useSession();
  const [theme, setTheme] = useState(readTheme);
  const change = (chosen: Theme): void => {
    applyTheme(chosen);
    setTheme(chosen);
  };
  return (
    <>
      <button type="button" class="account" popovertarget="account-menu">
        {show(session.organization_name)}
      </button>
      <div id="account-menu" popover="auto" class="menu">
        <p>
          <strong>{show(session.organization_name)}</strong>
          <span class="quiet">{show(session.role)}</span>
          <code class="id">{session.organization}</code>
        </p>
        {session.others.map((other) => (
          <button
            type="button"
            key={other.organization}
            onClick={() => session.switchTo(other.organization)}
          >
            Switch to {show(other.organization_name)}
          </button>
        ))}
        <label>
          Look
          <select value={theme} onChange={(event) => change(event.currentTarget.value as Theme)}>
            <option value="system">As the system</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <p class="quiet">
          To add an organization, open its link: <code>npx haft console</code>
        </p>
        <button type="button" onClick={() => void session.signOut()}>
          Sign out
        </button>
      </div>
    </>
  );
}
