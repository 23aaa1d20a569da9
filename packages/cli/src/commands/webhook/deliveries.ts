import { toVisibleLine } from "@haft/core/internal";
import type { WebhookDelivery, WebhookDeliveryQuery } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber, optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { toTable } from "../../terminal/table.ts";
import { showTime } from "../tool/show-time.ts";
import { requireSince } from "../tool/since.ts";

const maxPage = 100;

/** `haft webhook test` */
export async function testWebhook(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  const sent = await openClient(input, io).webhooks.test(id);
  if (input.options.json === true) printJson(sent, io);
  else io.out(`${toVisibleLine(`${sent.state}: ${toResult(sent)}`)}\n`);
  return sent.state === "succeeded" ? 0 : 1;
}

/** `haft webhook deliveries` */
export async function listDeliveries(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  const { webhooks } = openClient(input, io);
  const state = optionText(input, "state") as WebhookDeliveryQuery["state"];
  let left = optionNumber(input, "limit") ?? 50;
  const deliveries: WebhookDelivery[] = [];
  for (let token: string | null | undefined; left > 0 && token !== null; ) {
    const page = await webhooks.deliveries(id, {
      ...(state !== undefined && { state }),
      ...(token !== undefined && { continuation_token: token }),
      limit: Math.min(left, maxPage),
    });
    deliveries.push(...page.deliveries);
    left -= page.deliveries.length;
    token = page.continuation_token;
  }
  if (input.options.json === true) printJson({ deliveries }, io);
  else if (deliveries.length === 0) io.error("haft: nothing was sent to this webhook\n");
  else {
    io.out(
      toTable([
        ["ID", "STATE", "EVENT", "CREATED", "ATTEMPTS", "LAST RESULT"],
        ...deliveries.map((each) => [
          ...[each.id, each.state, each.type, showTime(each.created_at)],
          ...[String(each.attempt_count), toResult(each)],
        ]),
      ]),
    );
  }
  return 0;
}

/** `haft webhook replay` */
export async function replayDeliveries(input: CommandInput, io: Io): Promise<number> {
  const [id = "", ...ids] = input.positionals;
  const isSince = input.options.since !== undefined;
  const result = await openClient(input, io).webhooks.replay(id, {
    ...(ids.length > 0 && { delivery_ids: ids }),
    ...(isSince && { since: requireSince(input).toISOString() }),
  });
  if (input.options.json === true) printJson(result, io);
  else io.out(`${result.replayed} deliveries are sent again.\n`);
  return 0;
}

function toResult({ attempts, due_at }: WebhookDelivery): string {
  const [last] = attempts;
  if (last === undefined) return "-";
  const said = last.error ?? `${last.status} in ${last.duration_ms} ms`;
  return due_at === null ? said : `${said}; again at ${showTime(due_at)}`;
}
