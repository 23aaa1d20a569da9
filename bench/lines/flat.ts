import { compareTimes, type Line } from "../line.ts";
import type { Contender } from "../measure.ts";
import { callNoOp, prepareNoOpSessions } from "../no-op.ts";

const calls = 500;

/** The cost of a call must not grow with the number of tools or of calls made before. */
export const flat: Line = {
  name: "flat",
  run: async () => [
    await compareTimes({
      line: "call with 1,000 tools registered",
      contenders: [withTools(10), withTools(1_000)],
      rounds: 60,
      subject: "1000 tools",
      reference: "10 tools",
      goal: 1.2,
    }),
    await compareTimes({
      line: "call after 10,000 recorded calls",
      contenders: [afterCalls(1), afterCalls(10_000)],
      rounds: 40,
      subject: "after 10000 calls",
      reference: "after 1 calls",
      goal: 1.2,
    }),
  ],
};

function withTools(tools: number): Contender {
  const openSession = prepareNoOpSessions(tools);
  return {
    name: `${tools} tools`,
    repeats: calls,
    run: () => callNoOp(openSession(), calls),
  };
}

function afterCalls(before: number): Contender {
  const openSession = prepareNoOpSessions(10);
  let session = openSession();
  return {
    name: `after ${before} calls`,
    repeats: calls,
    before: async () => {
      session = openSession();
      await callNoOp(session, before);
    },
    run: () => callNoOp(session, calls),
  };
}
