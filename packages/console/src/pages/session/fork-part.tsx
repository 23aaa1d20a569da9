import { Link } from "@tanstack/react-router";
import { useId, useState } from "preact/hooks";
import { api, ask } from "../../api/client.ts";
import { toSessionPath } from "../../api/machine-sessions.ts";
import { useSession } from "../../api/session.ts";
import { Command } from "../../ui/command.tsx";
import { ProblemNote } from "../../ui/notes.tsx";
import { showLine } from "../../ui/show.ts";

interface Forked {
  readonly id: string;
  readonly name: string;
}

/** Starts a session with the messages of another, up to one if given. Asks for a name in place. */
export function ForkPart({ session, at, label }: { session: string; at?: number; label: string }) {
  const { organization, may } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [made, setMade] = useState<Forked>();
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const fork = async (): Promise<void> => {
    setProblem(undefined);
    try {
      const params = { path: { organization, session } };
      const body = { ...(name !== "" && { name }), ...(at !== undefined && { at }) };
      setMade(
        await ask(api.POST("/v1/{organization}/machine/sessions/{session}/fork", { params, body })),
      );
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <>
      <button
        type="button"
        class={at === undefined ? "" : "small"}
        aria-expanded={isOpen}
        disabled={!may("Machine:Undo")}
        onClick={() => {
          setOpen(!isOpen);
          setMade(undefined);
        }}
      >
        {label}
      </button>
      {isOpen && made === undefined && (
        <form
          class="in-place"
          onSubmit={(event) => {
            event.preventDefault();
            void fork();
          }}
        >
          <p>
            A new session begins with{" "}
            {at === undefined ? "all messages" : "the messages up to here"}. This one stays as it
            is, and so do files.
          </p>
          <div class="actions">
            <label for={id}>Name</label>
            <input
              id={id}
              value={name}
              autocomplete="off"
              placeholder="a free one"
              pattern="[A-Za-z0-9_\-][A-Za-z0-9._\-]{0,63}"
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
            <button type="submit" class="primary">
              Create the fork
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
          {problem !== undefined && <ProblemNote text={problem} />}
        </form>
      )}
      {isOpen && made !== undefined && (
        <div class="in-place" role="status">
          <p>
            Forked as <Link to={toSessionPath(made.id) as never}>{showLine(made.name, 70)}</Link>.
            Continue it in its workspace with:
          </p>
          <Command text={`npx haft agent --session ${made.name}`} />
        </div>
      )}
    </>
  );
}
