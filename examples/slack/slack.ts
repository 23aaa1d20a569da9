import { createServer, type IncomingMessage, type Server } from "node:http";
import { createPlatformClient, type InboxItem, PlatformError } from "@haft/platform/client";
import { createSeenSet, readSlackForm, signItem, verifyItem, verifyWebhook } from "./signatures.ts";

/** What the receiver needs to know. */
export interface SlackReceiverOptions {
  readonly haft: { readonly url: string; readonly apiKey: string };
  /** `whsec_…` of the webhook. It also signs the buttons. */
  readonly webhookSecret: string;
  readonly slack: {
    readonly signingSecret: string;
    readonly botToken: string;
    readonly channel: string;
    /** IDs of the people who may decide. Default: everyone in the channel. */
    readonly approvers?: readonly string[] | undefined;
    /** Default: Slack's own. */
    readonly apiUrl?: string | undefined;
    /** Where a `response_url` may lead. Default: Slack's own. */
    readonly responseOrigin?: string | undefined;
  };
}

interface Choice {
  readonly label: string;
  readonly answer: unknown;
}

/** Creates a server that asks in Slack what waits in Haft's inbox, and answers with what people click. */
export function createSlackReceiver(options: SlackReceiverOptions): Server {
  const { slack, webhookSecret } = options;
  const client = createPlatformClient(options.haft);
  const deliveries = createSeenSet();
  const clicks = createSeenSet();

  /** Handles `inbox.waiting`: posts a message with a button for each answer. */
  const ask = async (inboxId: string): Promise<void> => {
    const item = await client.inbox.get(inboxId);
    const choices = listChoices(item);
    if (item.state !== "waiting" || choices.length === 0) return;
    await postToSlack(`${slack.apiUrl ?? "https://slack.com/api"}/chat.postMessage`, {
      channel: slack.channel,
      text: `${item.tool_name} asks a question.`,
      blocks: [
        { type: "header", text: { type: "plain_text", text: `${item.tool_name} asks` } },
        // Plain text: a question can't mention people or add links.
        { type: "section", text: { type: "plain_text", text: item.question.slice(0, 3_000) } },
        {
          type: "actions",
          elements: choices.map(({ label }, index) => ({
            type: "button",
            action_id: `answer-${index}`,
            text: { type: "plain_text", text: label.slice(0, 75) },
            // Which item, not which answer: it is of no use without Slack's signature.
            value: signItem(webhookSecret, item.id),
          })),
        },
      ],
    });
  };

  /** Handles a click: answers the item, and says so in place of the buttons. */
  const answer = async (click: Click): Promise<void> => {
    const say = (text: string, more: object = {}): Promise<void> =>
      postToSlack(click.responseUrl, { text, ...more });
    const { userId, itemId, index } = click;
    if (slack.approvers !== undefined && !slack.approvers.includes(userId)) {
      await say("You may not decide this.", { replace_original: false });
      return;
    }
    try {
      const item = await client.inbox.get(itemId);
      const choice = listChoices(item)[index];
      if (choice === undefined) return;
      await client.inbox.answer(itemId, choice.answer, { onBehalfOf: `slack:${userId}` });
      await say(`${escapeText(item.question)}\n\n${escapeText(choice.label)}, said <@${userId}>.`, {
        replace_original: true,
      });
    } catch (error) {
      if (!PlatformError.isInstance(error)) throw error;
      // Such as: somebody else answered.
      await say(error.message, { replace_original: true });
    }
  };

  const postToSlack = async (url: string, body: object): Promise<void> => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        // Only the API gets the token.
        ...(url.endsWith("/chat.postMessage") && { authorization: `Bearer ${slack.botToken}` }),
      },
      body: JSON.stringify(body),
      redirect: "error",
    });
    const text = await response.text();
    // Slack's API answers 200 to what failed.
    if (!response.ok || text.includes('"ok":false')) throw new Error(`Slack answered ${text}`);
  };

  const readClick = (form: URLSearchParams): Click | undefined => {
    const payload = JSON.parse(form.get("payload") ?? "{}") as SlackPayload;
    const [action] = payload.actions ?? [];
    if (payload.type !== "block_actions" || action === undefined) return undefined;
    const itemId = verifyItem(webhookSecret, action.value ?? "");
    const index = Number(/^answer-(\d+)$/u.exec(action.action_id ?? "")?.[1]);
    const { origin } = new URL(payload.response_url ?? "");
    if (origin !== (slack.responseOrigin ?? "https://hooks.slack.com")) return undefined;
    if (itemId === undefined || Number.isNaN(index)) return undefined;
    return {
      itemId,
      index,
      userId: payload.user?.id ?? "",
      responseUrl: payload.response_url ?? "",
    };
  };

  const handle = async (request: IncomingMessage): Promise<number> => {
    // The raw bytes: a signature is of these, not of what they mean.
    const body = Buffer.concat(await request.toArray());
    if (request.method === "POST" && request.url === "/haft") {
      const id = verifyWebhook(webhookSecret, request.headers, body);
      if (id === undefined) return 401;
      const { type, data } = JSON.parse(body.toString()) as HaftEvent;
      // A delivery comes again with the same ID if our answer was lost.
      if (type !== "inbox.waiting" || deliveries.has(id)) return 204;
      await ask(data.inbox_id);
      deliveries.add(id);
      return 204;
    }
    if (request.method === "POST" && request.url === "/slack/interactions") {
      const form = readSlackForm(slack.signingSecret, request.headers, body);
      if (form === undefined || !clicks.add(String(request.headers["x-slack-signature"]))) {
        return 401;
      }
      const click = readClick(form);
      if (click === undefined) return 400;
      // Slack waits three seconds for the status. The rest comes through the response URL.
      void answer(click).catch(report);
      return 200;
    }
    return 404;
  };

  return createServer((request, response) => {
    handle(request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        report(error);
        response.writeHead(500).end();
      },
    );
  });
}

// As Slack asks: what a tool wrote can't mention people or add links.
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

interface Click {
  readonly itemId: string;
  readonly index: number;
  readonly userId: string;
  readonly responseUrl: string;
}

interface HaftEvent {
  readonly type: string;
  readonly data: { readonly inbox_id: string };
}

interface SlackPayload {
  readonly type?: string;
  readonly user?: { readonly id?: string };
  readonly response_url?: string;
  readonly actions?: readonly { readonly action_id?: string; readonly value?: string }[];
}

/** Returns the answers that fit on buttons: of an approval, of yes or no, or of a short list. */
function listChoices({ kind, schema }: InboxItem): readonly Choice[] {
  if (kind === "approval") {
    return [
      { label: "Allow once", answer: "once" },
      { label: "Deny", answer: "no" },
    ];
  }
  const { type, enum: values } = Object(schema) as { type?: unknown; enum?: unknown };
  if (Array.isArray(values) && values.length <= 5) {
    return values.map((answer) => ({ label: String(answer), answer: answer as unknown }));
  }
  if (type !== "boolean") return [];
  return [
    { label: "Yes", answer: true },
    { label: "No", answer: false },
  ];
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}

/** Starts the receiver with what the environment says. */
function start(environment: Readonly<Record<string, string | undefined>>): void {
  const need = (name: string): string => {
    const value = environment[name];
    if (value === undefined || value === "") throw new Error(`Set ${name}.`);
    return value;
  };
  createSlackReceiver({
    haft: { url: need("HAFT_URL"), apiKey: need("HAFT_API_KEY") },
    webhookSecret: need("HAFT_WEBHOOK_SECRET"),
    slack: {
      signingSecret: need("SLACK_SIGNING_SECRET"),
      botToken: need("SLACK_BOT_TOKEN"),
      channel: need("SLACK_CHANNEL"),
      approvers: environment.SLACK_APPROVERS?.split(","),
    },
  }).listen(Number(environment.PORT ?? 3000));
}

if (import.meta.main) start(process.env);
