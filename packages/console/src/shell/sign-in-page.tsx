import { useState } from "preact/hooks";
import { api, ask } from "../api/client.ts";
import { Command } from "../ui/command.tsx";
import { ProblemNote } from "../ui/notes.tsx";

/** How to sign in: with a link that the server makes, or with a key. */
export function SignInPage({
  problem,
  onSignedIn,
}: {
  problem: string | undefined;
  onSignedIn(): void;
}) {
  const [key, setKey] = useState("");
  const [refusal, setRefusal] = useState(problem);
  const [isBusy, setBusy] = useState(false);
  const signIn = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const [, link] = /sign-in=([\w-]+)/u.exec(key) ?? [];
    const body = link === undefined ? { api_key: key.trim() } : { link };
    await ask(api.POST("/v1/console/session", { body })).then(onSignedIn, (error: Error) =>
      setRefusal(error.message),
    );
    setBusy(false);
  };
  return (
    <main class="sign-in">
      <img src="/icon.svg" alt="" width="44" height="44" />
      <h1>Sign in to Haft</h1>
      <p class="quiet">
        Open the link that the server printed when it started, or make another one:
      </p>
      <Command text="npx haft console" />
      <form onSubmit={(event) => void signIn(event)} aria-busy={isBusy}>
        <label for="key">Or paste an API key or a link</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          required
          value={key}
          placeholder="haft_…"
          onInput={(event) => setKey(event.currentTarget.value)}
        />
        {refusal !== undefined && <ProblemNote text={refusal} />}
        <button type="submit" class="primary" disabled={isBusy}>
          Sign in
        </button>
      </form>
    </main>
  );
}
