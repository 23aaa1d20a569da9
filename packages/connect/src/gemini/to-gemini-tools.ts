import type { Session } from "@haft/core";
import { nameTools } from "../formats/name-tools.ts";
import type { WireSchema } from "../formats/plain-schema.ts";
import type { NameRule } from "../formats/provider-names.ts";
import { toGeminiSchema } from "./gemini-schema.ts";

/** Gemini's rule for tool names. */
export const geminiNames: NameRule = { maxLength: 64, anyFirst: false };

/** Gemini's tools: all in one list of functions. */
export interface GeminiTool {
  functionDeclarations: GeminiFunction[];
}

/** One tool. */
export interface GeminiFunction {
  name: string;
  description: string;
  parametersJsonSchema: WireSchema;
}

/**
 * Returns the session's current tools, for `config.tools` of a Gemini request.
 *
 * @example
 * ```ts
 * import { toGeminiTools } from "@haft/connect/gemini";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session;
 * const config = { tools: toGeminiTools(session) };
 * ```
 */
export function toGeminiTools(session: Session): GeminiTool[] {
  const names = nameTools(session, geminiNames);
  const functionDeclarations = session.tools().map(({ name, description, input_schema }) => ({
    name: names.toProvider(name),
    description,
    parametersJsonSchema: toGeminiSchema(input_schema),
  }));
  // Gemini refuses an empty list of functions.
  return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
}
