import { type Broker, sharedBroker } from "../broker/broker.ts";
import type { LaunchPlan } from "../sandbox/launch-plan.ts";
import { brokerStartFor, openSandbox } from "../sandbox/open-sandbox.ts";
import type { SandboxFinding } from "../sandbox/sandbox.ts";
import type { SandboxContext } from "../sandbox/sandbox-context.ts";

/** The sandbox that was found, and the broker that starts programs in it. */
export interface FoundSandbox {
  readonly finding: SandboxFinding;
  readonly broker: Broker;
}

const retryMs = 60_000;
const found = new Map<string, Promise<FoundSandbox>>();

/** Finds the sandbox of this machine. It is tested once per process. */
export function findSandbox(place: SandboxContext): Promise<FoundSandbox> {
  const key = JSON.stringify(place);
  const known = found.get(key);
  if (known !== undefined) return known;
  const looking = look(place);
  found.set(key, looking);
  // A missing program may be installed meanwhile.
  const forget = (): void => void setTimeout(() => found.delete(key), retryMs).unref();
  looking.then(({ finding }) => finding.sandbox === undefined && forget(), forget);
  return looking;
}

async function look(place: SandboxContext): Promise<FoundSandbox> {
  const broker = sharedBroker(brokerStartFor(place));
  const finding = await openSandbox(place, (plan) => tryOut(plan, broker));
  return { finding, broker };
}

const maxOutputLength = 64 * 1024;
const patienceMs = 10_000;

async function tryOut(
  plan: LaunchPlan,
  broker: Broker,
): Promise<{ exitCode: number | undefined; output: string }> {
  let output = "";
  const launched = await broker.launch(plan, {
    output: (bytes) => {
      if (output.length < maxOutputLength) output += bytes.toString("utf8");
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
