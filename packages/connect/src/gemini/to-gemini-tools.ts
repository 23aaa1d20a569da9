import type { Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import type { WireSchema } from "../formats/plain-schema.ts";
import type { NameRule } from "../formats/provider-names.ts";
import { toGeminiSchema } from "./gemini-schema.ts";

/** What Gemini takes for a name. */
export const geminiNames: NameRule = { longest: 64, anyFirst: false };

/** Tools as Gemini takes them: all in one list of functions. */
export interface GeminiTool {
  functionDeclarations: GeminiFunction[];
}

/** One tool. */
export interface GeminiFunction {
  name: string;
  description: string;
  parametersJsonSchema: WireSchema;
}

/** This turn's tools for `config.tools` of a Gemini request. */
export function toGeminiTools(session: Session): GeminiTool[] {
  const names = nameTools(session, geminiNames);
  const functionDeclarations = session.tools().map(({ name, description, input_schema }) => ({
    name: names.toProvider(name),
    description,
    parametersJsonSchema: toGeminiSchema(input_schema),
  }));
  // An empty list of functions is refused.
  return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
}
