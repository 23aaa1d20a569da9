import { pathToFileURL } from "node:url";
import type { MessageConnection } from "vscode-jsonrpc/node";
import type { Registration, ServerOffers } from "./server-offers.ts";

/** What answering a server's requests needs. */
export interface RequestContext {
  readonly root: string;
  readonly offers: ServerOffers;
}

/** Answers the requests that servers send to editors. The connection refuses unknown ones. */
export function answerServerRequests(
  connection: MessageConnection,
  { root, offers }: RequestContext,
): void {
  // Not null: the CSS server reports nothing without settings.
  connection.onRequest("workspace/configuration", ({ items }: { items?: readonly unknown[] }) =>
    (items ?? []).map(() => ({})),
  );
  connection.onRequest("workspace/workspaceFolders", () => [toFolder(root)]);
  connection.onRequest(
    "client/registerCapability",
    ({ registrations }: { registrations?: readonly Registration[] }) => {
      offers.register(registrations ?? []);
      return null;
    },
  );
  connection.onRequest(
    "client/unregisterCapability",
    // The spelling of the protocol.
    ({ unregisterations }: { unregisterations?: readonly Registration[] }) => {
      offers.unregister(unregisterations ?? []);
      return null;
    },
  );
  connection.onRequest("workspace/applyEdit", () => ({
    applied: false,
    failureReason: "Language servers can't edit files here.",
  }));
  connection.onRequest("window/showMessageRequest", () => null);
  connection.onRequest("window/showDocument", () => ({ success: false }));
  for (const method of [
    "window/workDoneProgress/create",
    "workspace/diagnostic/refresh",
    "workspace/semanticTokens/refresh",
    "workspace/inlayHint/refresh",
    "workspace/codeLens/refresh",
  ]) {
    connection.onRequest(method, () => null);
  }
}

/** Converts a directory to a workspace folder of the protocol. */
export function toFolder(path: string): { readonly uri: string; readonly name: string } {
  return { uri: pathToFileURL(path).href, name: path.slice(path.lastIndexOf("/") + 1) };
}
