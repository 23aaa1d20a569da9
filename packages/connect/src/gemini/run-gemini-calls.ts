import type { ToolResult } from "@haft/contract";
import type { Session } from "@haft/core";
import { carryResult } from "../formats/carry-result.ts";
import { type RunOptions, runCalls } from "../formats/run-calls.ts";
import { geminiNames } from "./to-gemini-tools.ts";

/** A function call of a Gemini response. */
export interface GeminiCall {
  readonly id?: string;
  readonly name?: string;
  readonly args?: Record<string, unknown>;
}

/** Options of `runGeminiCalls`. */
export interface GeminiRunOptions extends RunOptions {
  /**
   * Where images go: `inside` the response, which Gemini 3 and later support, or `beside` it for
   * older models. Default: `inside`.
   */
  readonly images?: "inside" | "beside";
}

/** A part of the content that answers calls. */
export type GeminiPart = GeminiResponsePart | GeminiImage;

/** The answer to one call. */
export interface GeminiResponsePart {
  functionResponse: {
    id?: string;
    name: string;
    response: { output: string } | { error: string };
    parts?: GeminiImage[];
  };
}

/** An image. */
export interface GeminiImage {
  inlineData: { mimeType: string; data: string };
}

/**
 * Runs function calls and returns their responses in order, as parts of the next content, whose role
 * is `user`. Never throws.
 *
 * @example
 * ```ts
 * import { type GeminiCall, runGeminiCalls } from "@haft/connect/gemini";
 * import type { Session } from "@haft/core";
 *
 * declare const session: Session, functionCalls: GeminiCall[];
 * const parts = await runGeminiCalls(session, functionCalls);
 * ```
 */
export async function runGeminiCalls(
  session: Session,
  functionCalls: readonly GeminiCall[] | undefined,
  { images = "inside", ...options }: GeminiRunOptions = {},
): Promise<GeminiPart[]> {
  const calls = (functionCalls ?? []).map(({ id, name = "", args }) => ({
    id,
    name,
    arguments: args,
  }));
  const results = await runCalls(session, calls, { ...options, rule: geminiNames });
  const answers = calls.map(({ id, name }, index) => {
    const result = results[index] as ToolResult;
    const { text, images: found } = carryResult(result, { types: imageTypes }, session.roots);
    const response = result.type === "error" ? { error: text } : { output: text };
    return {
      own: { ...(id === undefined ? {} : { id }), name, response },
      shown: found.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })),
    };
  });
  if (images === "inside") {
    return answers.map(({ own, shown }) => ({
      functionResponse: shown.length === 0 ? own : { ...own, parts: shown },
    }));
  }
  // The responses must be adjacent, without other parts between them.
  return [
    ...answers.map(({ own }) => ({ functionResponse: own })),
    ...answers.flatMap(({ shown }) => shown),
  ];
}

const imageTypes = ["image/png", "image/jpeg", "image/webp"];
