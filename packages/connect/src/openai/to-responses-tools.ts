import type { Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import {
  describeForOpenAi,
  type OpenAiDescription,
  type OpenAiToolOptions,
  openAiNames,
} from "./openai-form.ts";

/** A tool as the Responses API takes it. */
export interface ResponsesTool extends OpenAiDescription {
  type: "function";
  name: string;
}

/** This turn's tools for `tools` of a Responses request. */
export function toResponsesTools(
  session: Session,
  options: OpenAiToolOptions = {},
): ResponsesTool[] {
  const names = nameTools(session, openAiNames);
  return session.tools().map((tool) => ({
    type: "function",
    name: names.toProvider(tool.name),
    ...describeForOpenAi(tool, options),
  }));
}
