import type { Session } from "@haft/core";
import { compareTimes, type Line } from "../line.ts";
import type { Contender } from "../measure.ts";
import { callNoOp, openNoOpSession } from "../no-op.ts";

const calls = 500;

/** The cost of a call must not grow with the number of tools or of calls made before. */
export const flat: Line = {
  name: "flat",
  run: async () => {
    const fresh: Contender = {
      name: "after 1 call",
      repeats: calls,
      run: () => callNoOp(openNoOpSession(10), calls),
    };
    return [
      await compareTimes({
        line: "call with 1,000 tools registered",
        contenders: [withTools(10), withTools(1_000)],
        rounds: 40,
        subject: "1000 tools",
        reference: "10 tools",
        goal: 1.2,
      }),
      await compareTimes({
        line: "call after 10,000 recorded calls",
        contenders: [fresh, await afterCalls(10_000)],
        rounds: 20,
        subject: "after 10000 calls",
        reference: "after 1 call",
        goal: 1.2,
      }),
    ];
  },
};

function withTools(tools: number): Contender {
  let session: Session | undefined;
  let made = 0;
  return {
    name: `${tools} tools`,
    repeats: calls,
    run: async () => {
      // Both start over now and then, so that neither carries more records than the other.
      if (made++ % 10 === 0) session = openNoOpSession(tools);
      if (session !== undefined) await callNoOp(session, calls);
    },
  };
}

async function afterCalls(before: number): Promise<Contender> {
  const session = openNoOpSession(10);
  await callNoOp(session, before);
  return { name: `after ${before} calls`, repeats: calls, run: () => callNoOp(session, calls) };
}
