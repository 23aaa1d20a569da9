import type { Session } from "@haft/core";
import { type ClientForm, type ClientIdentity, findClientForm } from "./clients/client-forms.ts";
import type { McpServing } from "./mcp-serving.ts";
import { createToolCalls, type ToolCalls } from "./tools/call-tool.ts";
import { createToolList, type ToolList } from "./tools/tool-list.ts";

/** A client's session, and the form in which it gets tools and results. */
export interface Connection {
  readonly form: ClientForm;
  readonly tools: ToolList;
  readonly tracing: Session["tracing"];
  readonly calls: ToolCalls;
  /** Cancels calls that wait for a person, and suspends a session of its own. */
  close(): Promise<void>;
}

/** Opens a connection for a client. */
export function openConnection(serving: McpServing, client: ClientIdentity): Connection {
  const { session: given } = serving;
  const session: Session = typeof given === "function" ? given(client) : given;
  const form = chooseForm(serving, client);
  const tools = createToolList(session);
  const calls = createToolCalls({ session, host: serving.host, form }, tools);
  return {
    form,
    tools,
    tracing: session.tracing,
    calls,
    close: async () => {
      calls.close();
      tools.close();
      if (typeof given !== "function") return;
      session.abort("The client disconnected.");
      // The session is named, so another process may continue it.
      await session.suspend();
    },
  };
}

function chooseForm({ structured, maxBytes }: McpServing, client: ClientIdentity): ClientForm {
  const form = findClientForm(client);
  return {
    ...form,
    ...(structured === true && { form: "structured" }),
    // A limit that was given counts alone.
    ...(maxBytes !== undefined && { maxBytes, maxLines: Number.POSITIVE_INFINITY }),
  };
}
