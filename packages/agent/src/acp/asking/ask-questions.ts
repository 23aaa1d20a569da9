import type { PermissionOption } from "@agentclientprotocol/sdk";
import { type Question, ToolError } from "@haft/contract";
import type { QuestionRequest } from "@haft/core";
import { readAnswer, toQuestionText, toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { AcpClient } from "../acp-client.ts";
import type { MessageQuestions } from "./message-questions.ts";
import { fromAcpForm, toAcpForm } from "./question-form.ts";

/**
 * Asks the user of a client questions: as a form if the client supports forms, otherwise one by one.
 * Single choices are then asked as permissions are, others as messages that the next prompt answers.
 */
export async function askQuestions(
  request: QuestionRequest,
  { client, messages }: { readonly client: AcpClient; readonly messages: MessageQuestions },
): Promise<string[][]> {
  const { questions, callId, signal } = request;
  if (client.capabilities.elicitation?.form != null) {
    const response = await client
      .elicit(toAcpForm(questions, callId), signal)
      .catch((error: unknown) => unanswered(error));
    return fromAcpForm(response, questions) ?? unanswered();
  }
  const answers: string[][] = [];
  for (const question of questions) {
    if (isChoice(question)) answers.push([await choose(question, request, client)]);
    else {
      const text = await messages.ask(toVisibleText(toQuestionText(question)), signal);
      answers.push(readAnswer(question, text));
    }
  }
  return answers;
}

function isChoice({ options = [], multi_select }: Question): boolean {
  return options.length > 0 && multi_select !== true;
}

async function choose(
  { header, question, options = [] }: Question,
  { callId: toolCallId, signal }: QuestionRequest,
  client: AcpClient,
): Promise<string> {
  const choices = options.map(
    ({ label, description }, index): PermissionOption => ({
      optionId: `answer_${index + 1}`,
      name: toVisibleLine(description === undefined ? label : `${label}: ${description}`),
      kind: "allow_once",
    }),
  );
  const asked = header === undefined ? question : `${header}: ${question}`;
  const skip: PermissionOption = { optionId: "skip", name: "Don't answer", kind: "reject_once" };
  const toolCall = { toolCallId, title: toVisibleText(asked) };
  const outcome = await client
    .requestPermission({ toolCall, options: [...choices, skip] }, signal)
    .catch((error: unknown) => unanswered(error));
  const id = outcome.outcome === "selected" ? outcome.optionId : undefined;
  const chosen = options.find((_, index) => id === `answer_${index + 1}`);
  return chosen?.label ?? unanswered();
}

function unanswered(cause?: unknown): never {
  throw new ToolError("rejected-by-user", "The question was not answered.", { cause });
}
