import type { RetryRequest } from "@haft/platform/client";
import { UsageError } from "../../usage-error.ts";

/** Reads changes of an input: `path=text`, or `path:=JSON`. */
export function readChanges(
  words: readonly string[],
  option: string,
): NonNullable<RetryRequest["set"]> {
  return words.map((word) => {
    const [, path = "", colon, text = ""] = /^([^=]*?)(:?)=(.*)$/su.exec(word) ?? [];
    if (path === "") {
      throw new UsageError(`${option} takes PATH=TEXT or PATH:=JSON, such as order.id:=7.`);
    }
    if (colon !== ":") return { path, value: text };
    try {
      return { path, value: JSON.parse(text) };
    } catch (error) {
      throw new UsageError(
        `The value of ${option} ${path} is not valid JSON: ${(error as Error).message}. For text, write ${path}=TEXT.`,
      );
    }
  });
}
