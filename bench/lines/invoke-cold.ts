import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type InvokePeer, makeInvokeBody, startInvokePeer } from "../invoke-peer.ts";
import { compareTimes, type Line } from "../line.ts";
import { runProgram } from "../run-program.ts";

const rounds = 15;
// Each tool has two sandboxes, one for each mode; some rounds warm up.
const tools = (rounds + Math.ceil(rounds / 3)) / 2;

const script = `
  import { createHash } from "node:crypto";
  process.stdout.write("hello " + createHash("sha256").update("you").digest("hex"));`;

/** The first call of an unused version, compared with starting Node. */
export const invokeCold: Line = {
  name: "invoke-cold",
  run: async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-bench-"));
    const peer = await startInvokePeer("haft", tools);
    try {
      writeFileSync(join(directory, "tool.mjs"), script);
      const calls = listCalls(peer);
      const finding = await compareTimes({
        line: "the first call of a version, on a blank worker",
        rounds,
        contenders: [
          {
            name: "spawn node",
            run: async () =>
              requireGreeting(`${await runProgram(process.execPath, ["tool.mjs"], directory)}`),
          },
          {
            name: "first invocation",
            // Until there is another blank worker.
            before: () => wait(500),
            run: async () => requireGreeting((await calls.shift()?.()) ?? "nothing"),
          },
        ],
        subject: "first invocation",
        reference: "spawn node",
        goal: 0.4,
      });
      return [finding];
    } finally {
      peer.stop();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

function listCalls({ urls, headers }: InvokePeer): (() => Promise<string>)[] {
  return urls.flatMap((url) =>
    (["regular", "conversation-simulation"] as const).map((mode) => async () => {
      const answer = await fetch(url, { method: "POST", headers, body: makeInvokeBody(mode) });
      return answer.text();
    }),
  );
}

function requireGreeting(text: string): void {
  if (!text.includes("hello bb0347a4")) throw new Error(`The tool answered ${text}.`);
}
