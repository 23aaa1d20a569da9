import { type Broker, sharedBroker } from "../broker/broker.ts";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { brokerStartFor, openSandbox } from "../sandbox/open-sandbox.ts";
import type { SandboxFinding } from "../sandbox/sandbox.ts";
import type { SandboxPlace } from "../sandbox/sandbox-place.ts";

/** A sandbox that was looked for, and the broker that starts things in it. */
export interface FoundSandbox {
  readonly finding: SandboxFinding;
  readonly broker: Broker;
}

const retryMs = 60_000;
const found = new Map<string, Promise<FoundSandbox>>();

/** What this machine has to confine programs of a place. It is tried out once in a process. */
export function findSandbox(place: SandboxPlace): Promise<FoundSandbox> {
  const key = JSON.stringify(place);
  const known = found.get(key);
  if (known !== undefined) return known;
  const looking = look(place);
  found.set(key, looking);
  // What is missing may be installed meanwhile.
  const forget = (): void => void setTimeout(() => found.delete(key), retryMs).unref();
  looking.then(({ finding }) => finding.sandbox === undefined && forget(), forget);
  return looking;
}

async function look(place: SandboxPlace): Promise<FoundSandbox> {
  const broker = sharedBroker(brokerStartFor(place));
  const finding = await openSandbox(place, (plan) => tryOut(plan, broker));
  return { finding, broker };
}

const mostOutput = 64 * 1024;
const patienceMs = 10_000;

async function tryOut(
  plan: LaunchPlan,
  broker: Broker,
): Promise<{ exitCode: number | undefined; output: string }> {
  let output = "";
  const launched = await broker.launch(plan, {
    output: (bytes) => {
      if (output.length < mostOutput) output += bytes.toString("utf8");
      return undefined;
    },
  });
  const timer = setTimeout(() => launched.kill(), patienceMs);
  try {
    const { exitCode } = await launched.ended;
    return { exitCode, output };
  } finally {
    clearTimeout(timer);
  }
}
