import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "preact/hooks";
import { useSession } from "../api/session.ts";
import { toolsQuery } from "../api/tools.ts";
import { pages } from "../pages.ts";
import { Dialog } from "../ui/dialog.tsx";
import { show } from "../ui/show.ts";
import { applyTheme } from "./theme.ts";

interface Choice {
  readonly label: string;
  readonly hint: string;
  run(): void;
}

const maxChoices = 12;

/** A list of everything that can be opened or done, narrowed while typing. */
export function Palette({ onClose }: { onClose(): void }) {
  const session = useSession();
  const navigate = useNavigate();
  const { data: tools = [] } = useQuery(toolsQuery(session.organization));
  const [text, setText] = useState("");
  const [index, setIndex] = useState(0);

  const choices = useMemo((): readonly Choice[] => {
    const go =
      (to: string, search = {}) =>
      () =>
        void navigate({ to, search } as never);
    const all: Choice[] = [
      ...pages.flatMap(({ path, title, key }) =>
        key === undefined ? [] : [{ label: title, hint: `g ${key}`, run: go(path) }],
      ),
      ...tools.flatMap(({ id, name }) => [
        { label: name, hint: "Tool", run: go(`/tools/${id}`) },
        { label: `Try ${name}`, hint: "Try it", run: go("/try", { tool: name }) },
        {
          label: `Invocations of ${name}`,
          hint: "Invocations",
          run: go("/invocations", { tool: name }),
        },
      ]),
      {
        label: "Failed invocations",
        hint: "Invocations",
        run: go("/invocations", { status: "failed" }),
      },
      ...session.others.map((other) => ({
        label: `Switch to ${other.organization_name}`,
        hint: "Organization",
        run: () => session.switchTo(other.organization),
      })),
      ...(["light", "dark", "system"] as const).map((theme) => ({
        label: `Theme: ${theme}`,
        hint: "Look",
        run: () => applyTheme(theme),
      })),
      { label: "Sign out", hint: "Account", run: () => void session.signOut() },
      ...(/^[a-f0-9]{24}$/u.test(text.trim())
        ? [
            {
              label: `Invocation ${text.trim()}`,
              hint: "Open",
              run: go(`/invocations/${text.trim()}`),
            },
          ]
        : []),
    ];
    const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
    return all
      .filter(({ label, hint }) => {
        const searched = `${label} ${hint}`.toLowerCase();
        return words.every((word) => searched.includes(word));
      })
      .slice(0, maxChoices);
  }, [text, tools, session, navigate]);

  const choose = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    onClose();
    choice.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") choose(choices[index]);
    else if (event.key === "ArrowDown") setIndex(Math.min(index + 1, choices.length - 1));
    else if (event.key === "ArrowUp") setIndex(Math.max(index - 1, 0));
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title="Search" onClose={onClose} class="palette">
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`choice-${index}`}
        aria-label="Search pages, tools and actions"
        placeholder="Search pages, tools and actions"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Results" tabIndex={-1}>
        {choices.map((choice, at) => (
          <div
            key={`${choice.label} ${choice.hint}`}
            id={`choice-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === index}
            onMouseMove={() => setIndex(at)}
            onClick={() => choose(choice)}
            onKeyDown={onKeyDown}
          >
            <span>{show(choice.label)}</span>
            <span class="quiet">{choice.hint}</span>
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="quiet">Nothing found.</p>}
    </Dialog>
  );
}
