import { rewind } from "@haft/agent/internal";
import type { SlashContext, SlashEffect } from "./slash-context.ts";

/** `/rewind`: goes back to before a turn, and goes on with the earlier conversation. */
export async function rewindHere(context: SlashContext, rest: string): Promise<SlashEffect> {
  const { source, agent, say, call } = context;
  const { name } = agent.session;
  const session = await rewind(rest, {
    entries: () => source.entries(name),
    calls: () => source.calls(name),
    undo: (to) => call("undo_edit", { to }),
    fork: (upTo) => source.fork(name, upTo).name,
    say,
  });
  if (session === undefined) return "stay";
  say(`The conversation goes on in session ${session}. The whole of it stays in ${name}.`);
  return { session };
}
