import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type {
  AsyncInvocation,
  InvocationEvent,
  InvocationInput,
  PlatformClient,
} from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { printOutput } from "./print-output.ts";
import { showTime } from "./show-time.ts";

/** `haft tool wait`: waits for an asynchronous invocation and prints how it ended. */
export async function waitForInvocation(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  const client = openClient(input, io);
  if (input.options["no-wait"] === true) {
    const status = await client.invocations.status(id, io.signal);
    print(status, input, io);
    return toExitCode(status);
  }
  return untilEnded({ client, ids: [id] }, input, io);
}

/** `haft tool cancel` */
export async function cancelInvocation(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  const status = await openClient(input, io).invocations.cancel(id);
  if (input.options.json === true) printJson(status, io);
  else io.out(status.state === "ended" ? `${id} has ended.\n` : `${id} is being cancelled.\n`);
  return 0;
}

/** `haft tool invoke --async`: starts invocations and prints their IDs. */
export async function startInvocations(
  {
    client,
    target,
    inputs,
  }: {
    readonly client: PlatformClient;
    readonly target: { readonly toolId: string; readonly version: string };
    readonly inputs: readonly InvocationInput[];
  },
  input: CommandInput,
  io: Io,
): Promise<number> {
  const idempotencyKey = optionText(input, "idempotency-key");
  const webhook = optionText(input, "webhook");
  const accepted = await client.invocations.start(target, inputs, {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(webhook !== undefined && { webhook }),
    signal: io.signal,
  });
  const ids = accepted.invocations.map(({ id }) => id);
  if (input.options.follow === true) return untilEnded({ client, ids }, input, io);
  if (input.options.json === true) printJson(accepted, io);
  else for (const id of ids) io.out(`${id}\n`);
  if (io.outputIsTerminal) io.error(`haft: to wait for it: haft tool wait ${ids[0]}\n`);
  return 0;
}

async function untilEnded(
  { client, ids }: { readonly client: PlatformClient; readonly ids: readonly string[] },
  input: CommandInput,
  io: Io,
): Promise<number> {
  const isFollowing = input.options.follow === true;
  const ended = await Promise.all(
    ids.map((id) =>
      client.invocations.wait(id, {
        signal: io.signal,
        onEvent: (event) => {
          if (isFollowing) io.error(showEvent(id, event));
        },
      }),
    ),
  );
  for (const status of ended) print(status, input, io);
  return Math.max(...ended.map(toExitCode));
}

function toExitCode({ result }: AsyncInvocation): number {
  return result === null || result.succeeded ? 0 : 1;
}

function showEvent(id: string, { event, data }: InvocationEvent): string {
  const { state, event: told } = Object(data) as { readonly state?: string; event?: unknown };
  const text = event === "state" ? state : typeof told === "string" ? told : JSON.stringify(told);
  return `[${id}] ${event === "state" ? "" : "status: "}${toVisibleText(text ?? "")}\n`;
}

function print(status: AsyncInvocation, { options }: CommandInput, io: Io): void {
  const { id, state, result, waiting_for } = status;
  if (options.json === true) printJson(status, io);
  else if (result === null) {
    io.out(`${id} ${state}\n`);
    for (const { kind, until, inbox_id, question } of waiting_for) {
      const what =
        kind === "sleep"
          ? `sleeps until ${showTime(until)}`
          : `asks ${question} (haft inbox answer ${inbox_id} ANSWER, until ${showTime(until)})`;
      io.out(`  ${toVisibleLine(what)}\n`);
    }
  } else if (result.succeeded) {
    printOutput(result.output, io);
  } else {
    const { exception_type: type, exception_message: message } = result;
    io.error(`haft: ${toVisibleText(`${type}: ${message}`)} [invocation ${id}]\n`);
  }
}
