import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { PublishedTools } from "./invoke-platform.ts";

/** A server of tools in a process of its own. */
export interface InvokePeer extends PublishedTools {
  stop(): void;
}

/** Starts a server: a bare one, or a platform with so many tools. */
export async function startInvokePeer(
  kind: "bare" | "haft" | "reused" | "python" | "reused python",
  tools = 1,
): Promise<InvokePeer> {
  const script = fileURLToPath(new URL("./invoke-server.ts", import.meta.url));
  const child = fork(script, [kind, `${tools}`]);
  const [published] = (await Promise.race([
    once(child, "message"),
    once(child, "exit").then(() => {
      throw new Error(`The ${kind} server did not start.`);
    }),
  ])) as [PublishedTools];
  return { ...published, stop: () => child.disconnect() };
}

/** The body of an invocation with one input. */
export function makeInvokeBody(mode: "regular" | "conversation-simulation" = "regular"): string {
  return JSON.stringify({
    inputs: [
      {
        input_parameters: { name: "you" },
        invocation_mode: mode,
        nonsensitive_user_variables: {},
        sensitive_user_variables: {},
      },
    ],
  });
}
