import { toVisibleLine } from "@haft/core/internal";
import type { IssuedWebhook, Webhook, WebhookChange } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber, optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { toTable } from "../../terminal/table.ts";
import { UsageError } from "../../usage-error.ts";
import { showTime } from "../tool/show-time.ts";

/** `haft webhook add` */
export async function addWebhook(input: CommandInput, io: Io): Promise<number> {
  const [url = ""] = input.positionals;
  const { events = [], ...fields } = readFields(input);
  const enabled = input.options.disabled !== true;
  const created = await openClient(input, io).webhooks.create({ url, events, ...fields, enabled });
  printIssued(created, input, io);
  return 0;
}

/** `haft webhook list` */
export async function listWebhooks(input: CommandInput, io: Io): Promise<number> {
  const { webhooks } = await openClient(input, io).webhooks.list();
  if (input.options.json === true) printJson({ webhooks }, io);
  else if (webhooks.length === 0) {
    io.error("haft: there are no webhooks. Add one: haft webhook add URL --event TYPE\n");
  } else {
    io.out(
      toTable([
        ["ID", "STATE", "URL", "EVENTS"],
        ...webhooks.map((each) => [each.id, toState(each), each.url, each.events.join(", ")]),
      ]),
    );
  }
  return 0;
}

/** `haft webhook show` */
export async function showWebhook(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  print(await openClient(input, io).webhooks.get(id), input, io);
  return 0;
}

/** `haft webhook update` */
export async function updateWebhook(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  const { options } = input;
  const url = optionText(input, "url");
  const change: WebhookChange = {
    ...(url !== undefined && { url }),
    ...readFields(input),
    ...(options["no-links"] === true && { links: false }),
    ...(options["no-synchronous"] === true && { synchronous: false }),
    ...(options["no-sessions"] === true && { sessions: false }),
    ...(options["all-tools"] === true && { tools: null, tags: null }),
    ...(options.enable === true && { enabled: true }),
    ...(options.disable === true && { enabled: false }),
  };
  const isChanged = Object.keys(change).length > 0;
  const isRotated = options["rotate-secret"] === true;
  if (!isChanged && !isRotated) {
    throw new UsageError("Nothing to change. Give an option such as --event, --enable or --url.");
  }
  const { webhooks } = openClient(input, io);
  const changed = isChanged ? await webhooks.update(id, change) : undefined;
  if (isRotated) {
    printIssued(await webhooks.rotate(id, optionNumber(input, "overlap-hours")), input, io);
  } else if (changed !== undefined) print(changed, input, io);
  return 0;
}

/** `haft webhook remove` */
export async function removeWebhook(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  await openClient(input, io).webhooks.delete(id);
  if (input.options.json === true) printJson({ id, deleted: true }, io);
  else io.out(`${toVisibleLine(`Removed the webhook ${id}.`)}\n`);
  return 0;
}

function readFields(input: CommandInput): WebhookChange {
  const [events, tools, tags] = ["event", "tool", "tag"].map((name) => optionTexts(input, name));
  const description = optionText(input, "description");
  return {
    ...(events?.length && { events }),
    ...(tools?.length && { tools }),
    ...(tags?.length && { tags }),
    ...(description !== undefined && { description }),
    ...(input.options.links === true && { links: true }),
    ...(input.options.synchronous === true && { synchronous: true }),
    ...(input.options.sessions === true && { sessions: true }),
  };
}

function toState({ enabled, disabled_reason, failures }: Webhook): string {
  if (!enabled) return disabled_reason === null ? "disabled" : "disabled by the platform";
  return failures === 0 ? "enabled" : `enabled, ${failures} given up`;
}

function printIssued(webhook: IssuedWebhook, input: CommandInput, io: Io): void {
  print(webhook, input, io);
  if (input.options.json === true) return;
  io.out(`\n${toVisibleLine(webhook.secret)}\n`);
  io.error("haft: this secret is shown only once. Give it to the receiver.\n");
}

function print(webhook: Webhook, { options }: CommandInput, io: Io): void {
  if (options.json === true) {
    printJson(webhook, io);
    return;
  }
  const { tools, tags, disabled_reason: reason, previous_secret_until: until } = webhook;
  const only = [...(tools ?? []), ...(tags ?? [])].join(", ");
  const rows: readonly (readonly [string, string])[] = [
    ["ID", webhook.id],
    ["URL", webhook.url],
    ["State", reason === null ? toState(webhook) : `${toState(webhook)}: ${reason}`],
    ["Events", webhook.events.join(", ") || "only of invocations that name it"],
    ["Tools", tools === null && tags === null ? "all" : only],
    ["Options", toOptions(webhook).join(", ") || "-"],
    ["About", webhook.description || "-"],
    ["Created", showTime(webhook.created_at)],
    ...(until === null ? [] : ([["Old secret", `signs until ${showTime(until)}`]] as const)),
  ];
  io.out(toTable(rows));
}

function toOptions({ links, synchronous, sessions }: Webhook): string[] {
  return [
    ...(links ? ["links"] : []),
    ...(synchronous ? ["synchronous invocations"] : []),
    ...(sessions ? ["sessions"] : []),
  ];
}
