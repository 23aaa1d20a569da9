import type { OrganizationPath } from "./organization-path.ts";
import type { Requester } from "./requester.ts";
import type { InboxItem, InboxPage, InboxQuery } from "./wire-types.ts";

/** What people have to answer before something continues. */
export interface InboxClient {
  /** Lists items, the oldest first. Default: those that wait. */
  list(query?: InboxQuery): Promise<InboxPage>;
  get(id: string): Promise<InboxItem>;
  /** Answers an item. Throws a `PlatformError` 409 if it has an answer. */
  answer(id: string, answer: unknown): Promise<InboxItem>;
}

/** Makes the part of the client that is about the inbox. */
export function createInboxClient(requester: Requester, place: OrganizationPath): InboxClient {
  return {
    list: async (query) =>
      requester.request("GET", await place.path("inbox"), { query: query ?? {} }),
    get: async (id) => requester.request("GET", await place.path("inbox", id)),
    answer: async (id, answer) =>
      requester.request("POST", await place.path("inbox", id), { body: { answer } }),
  };
}
