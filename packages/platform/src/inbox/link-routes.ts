import { type AnyRoute, type ApiReply, defineOpenRoute, defineRoute } from "../api/route.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { answerItem, describeEnd, noItem, requireAnswerer, requireItem } from "./answer-item.ts";
import { inboxParams, linkBody, linkReply } from "./inbox-schemas.ts";
import { type LinkForm, readSentAnswer, toLinkForm } from "./link-form.ts";
import { pageHeaders, toMessagePage, toQuestionPage } from "./link-page.ts";
import type { InboxLinks, OpenedLink } from "./links.ts";
import type { SessionItems } from "./session-items.ts";

type Parts = Pick<PlatformParts, "store" | "secrets" | "audit" | "settings" | "now">;

interface LinkParams {
  readonly organization: string;
  readonly token: string;
}

// Per address. A person needs two requests.
const perMinute = 300;

const page = {
  type: "string",
  contentMediaType: "text/html",
  description: "A page for a person.",
} as const;

/** What links work with. */
export interface LinkNeighbours {
  readonly links: InboxLinks;
  /** The calls of sessions on this machine. Default: links answer none. */
  readonly sessions?: SessionItems | undefined;
  onAnswer(): void;
}

/** The API's routes for links that answer. `onAnswer` is called when something can continue. */
export function linkRoutes(
  parts: Parts,
  { links, sessions, onAnswer }: LinkNeighbours,
): readonly AnyRoute[] {
  const url = "/v1/:organization/inbox/link/:token";
  return [
    defineRoute<{ readonly answer?: unknown }, unknown, { readonly item_id: string }>({
      method: "POST",
      url: "/v1/:organization/inbox/:item_id/link",
      operationId: "create-inbox-link",
      summary:
        "Makes a link with which anyone who has it can answer an item, once, until its deadline and for at most seven days.",
      permission: "Inbox:AnswerItem",
      schema: { params: inboxParams, body: linkBody, response: { 201: linkReply } },
      handle: async ({ principal, params, body }) => {
        const { item_id: id } = params;
        const item = sessions?.find(principal, id)
          ? sessions.findRow(principal.organization, id)
          : await requireItem(parts, principal, id);
        if (item === undefined) throw noItem(id);
        requireAnswerer(item, principal);
        const link = await links.create(principal, item, body.answer);
        await parts.audit.recordAlone(principal, { action: "inbox.link", target: item.id });
        return { status: 201, body: link };
      },
    }),
    // Programs that preview links fetch them, so this only asks.
    defineOpenRoute<unknown, unknown, LinkParams>({
      method: "GET",
      url,
      operationId: "show-inbox-link",
      summary: "Shows a person what a link asks. It never answers.",
      perMinute,
      schema: { response: { 200: page } },
      handleOpen: async ({ params }) => {
        const opened = await links.open(params.organization, params.token);
        const form = toForm(opened);
        return form === undefined || opened === undefined
          ? toEnd(opened)
          : { status: 200, headers: pageHeaders, body: toQuestionPage(opened.item, form) };
      },
    }),
    defineOpenRoute<unknown, unknown, LinkParams>({
      method: "POST",
      url,
      operationId: "answer-inbox-link",
      summary: "Answers with the form of a link's page.",
      perMinute,
      acceptsForm: true,
      schema: { response: { 200: page } },
      handleOpen: async ({ params, body }) => {
        const opened = await links.open(params.organization, params.token);
        const form = toForm(opened);
        if (form === undefined || opened === undefined) return toEnd(opened);
        const sent = body instanceof URLSearchParams ? readSentAnswer(form, body) : undefined;
        if (sent === undefined) {
          const body = toQuestionPage(opened.item, form, "Choose an answer.");
          return { status: 400, headers: pageHeaders, body };
        }
        return answer(parts, { opened, form, sent, sessions, onAnswer });
      },
    }),
  ];
}

interface Sending extends Pick<LinkNeighbours, "sessions" | "onAnswer"> {
  readonly opened: OpenedLink;
  readonly form: LinkForm;
  readonly sent: unknown;
}

async function answer(
  parts: Parts,
  { opened, form, sent, sessions, onAnswer }: Sending,
): Promise<ApiReply> {
  const { item, answerer } = opened;
  try {
    if (item.source_type === "session") await sessions?.answerByLink(answerer, item, sent);
    else await answerItem(parts, answerer, { item, answer: sent, via: "link" });
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    if (error instanceof InvalidRequest || error.status === 400) {
      const said = error instanceof InvalidRequest ? error.errors[0]?.msg : error.message;
      const body = toQuestionPage(item, form, said);
      return { status: 400, headers: pageHeaders, body };
    }
    return toMessage(error.status, "No answer is needed", error.message);
  }
  onAnswer();
  return toMessage(200, "Thank you", "Your answer was recorded. You can close this page.");
}

function toForm(opened: OpenedLink | undefined): LinkForm | undefined {
  if (opened?.item.state !== "waiting") return undefined;
  const form = toLinkForm(opened.item, opened.answer);
  return typeof form === "string" ? undefined : form;
}

/** Says why a link can't be used. One that was never valid gets the same answer as one that expired. */
function toEnd(opened: OpenedLink | undefined): ApiReply {
  if (opened !== undefined) return toMessage(410, "No answer is needed", describeEnd(opened.item));
  return toMessage(
    404,
    "This link can't be used",
    "It has expired, was revoked, or is incomplete. Open it as it was sent, or ask for another one.",
  );
}

function toMessage(status: number, title: string, text: string): ApiReply {
  return { status, headers: pageHeaders, body: toMessagePage(title, text) };
}
