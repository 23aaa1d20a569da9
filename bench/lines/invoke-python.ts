import { type InvokePeer, makeInvokeBody, startInvokePeer } from "../invoke-peer.ts";
import { compareTimes, type Line } from "../line.ts";

/**
 * A warm invocation in Python as a caller sees it who makes one after the other. Each has a process of
 * its own, compared with invocations that share one.
 */
export const invokePython: Line = {
  name: "invoke-python",
  run: async () => {
    const fresh = await startInvokePeer("python");
    const reused = await startInvokePeer("reused python");
    try {
      const finding = await compareTimes({
        line: "a warm invocation in Python that finds nothing of the one before",
        rounds: 300,
        contenders: [
          { name: 'with "reuse": "process"', run: () => invokeOnce(reused) },
          { name: "by default", run: () => invokeOnce(fresh) },
        ],
        subject: "by default",
        reference: 'with "reuse": "process"',
        goal: 2,
      });
      return [finding];
    } finally {
      fresh.stop();
      reused.stop();
    }
  },
};

async function invokeOnce({ urls: [url = ""], headers }: InvokePeer): Promise<void> {
  const answer = await fetch(url, { method: "POST", headers, body: makeInvokeBody() });
  const text = await answer.text();
  if (!text.includes("hello bb0347a4")) throw new Error(`The tool answered ${text}.`);
}
