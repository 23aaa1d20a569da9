import type { Host } from "@haft/core";
import type { AcpClient } from "../acp-client.ts";
import { createAskPermission, type DescribeAsked } from "./ask-permission.ts";
import { askQuestions } from "./ask-questions.ts";
import type { MessageQuestions } from "./message-questions.ts";

/** Creates a host that asks the user through a client. */
export function createAcpHost(
  client: AcpClient,
  describe: DescribeAsked,
  messages: MessageQuestions,
): Host {
  return {
    headless: false,
    ask: createAskPermission(client, describe),
    question: (request) => askQuestions(request, { client, messages }),
  };
}
