import type { AvailableCommand, ContentBlock, StopReason } from "@agentclientprotocol/sdk";
import { rewind } from "../../threads/rewind.ts";
import type { AcpSession } from "../acp-backend.ts";
import type { AcpClient } from "../acp-client.ts";

/** The command as clients show it. */
export const rewindCommand: AvailableCommand = {
  name: "rewind",
  description: "Go back to before a turn: its files, its conversation or both.",
  input: { hint: "NUMBER files|conversation|both; nothing lists the turns" },
};

/** Returns what follows `/rewind`, if the prompt is that command and nothing else. */
export function readRewind(blocks: readonly ContentBlock[]): string | undefined {
  const [block, ...others] = blocks;
  if (block?.type !== "text" || others.length > 0) return undefined;
  const found = /^\/rewind(?:[ \t]+([^\n]*))?$/u.exec(block.text.trim());
  return found === null ? undefined : (found[1] ?? "");
}

/** Goes back to before a turn. Everything is reported as a message, and no model is asked. */
export async function rewindSession(
  words: string,
  { session, client }: { readonly session: AcpSession; readonly client: AcpClient },
): Promise<StopReason> {
  const { agent, history, calls, fork } = session;
  const say = (line: string): void =>
    client.update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: `${line}\n` },
    });
  const forked = await rewind(words, {
    entries: history,
    calls,
    fork,
    say,
    undo: async (to) => {
      const call = { name: "undo_edit", arguments: { to }, approved: true };
      const result = await agent.session.call(call);
      const isDone = result.type === "output";
      say(isDone ? String((result.data as { message: string }).message) : result.error_text);
      return isDone;
    },
  });
  if (forked !== undefined) {
    say(`The conversation before that turn is session ${forked}. Open it to go on from there.`);
  }
  return "end_turn";
}
