import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type { InboxItem, InboxLink, InboxPage, InboxQuery } from "./wire-types.ts";

/** What people have to answer before something continues. */
export interface InboxClient {
  /** Lists items, the oldest first. Default: those that wait. */
  list(query?: InboxQuery): Promise<InboxPage>;
  get(id: string): Promise<InboxItem>;
  /** Answers an item. Throws a `PlatformError` 409 if it has an answer. */
  answer(id: string, answer: unknown, options?: AnswerOptions): Promise<InboxItem>;
  /** Makes a link with which anyone who has it can answer once. `answer`: the only answer it gives. */
  link(id: string, answer?: unknown): Promise<InboxLink>;
}

/** Options of an answer. */
export interface AnswerOptions {
  /** Who decided, in another system, such as `slack:U024BE7LH`. */
  readonly onBehalfOf?: string;
  /** For a call of a session and the answers `always` and `project`: rules to store instead of the proposed ones. */
  readonly rules?: readonly string[];
}

/** Makes the part of the client that is about the inbox. */
export function createInboxClient(requester: Requester, place: OrganizationPath): InboxClient {
  return {
    list: async (query) =>
      requester.request("GET", await place.path("inbox"), { query: query ?? {} }),
    get: async (id) => requester.request("GET", await place.path("inbox", id)),
    answer: async (id, answer, { onBehalfOf: on_behalf_of, rules } = {}) =>
      requester.request("POST", await place.path("inbox", id), {
        body: {
          answer,
          ...(on_behalf_of !== undefined && { on_behalf_of }),
          ...(rules !== undefined && { rules }),
        },
      }),
    link: async (id, answer) =>
      requester.request("POST", await place.path("inbox", id, "link"), {
        body: answer === undefined ? {} : { answer },
      }),
  };
}
