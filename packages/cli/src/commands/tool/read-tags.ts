import { UsageError } from "../../usage-error.ts";

/** Tags from `key=value`, or `key` for one without a value. */
export function readTags(words: readonly string[]): Record<string, string | null> {
  const tags = words.map((word): readonly [string, string | null] => {
    const [, key = "", value] = /^([^=]+)(?:=(.*))?$/su.exec(word) ?? [];
    if (key === "") {
      throw new UsageError(`--tag takes KEY=VALUE or KEY, not ${JSON.stringify(word)}.`);
    }
    return [key, value === undefined || value === "" ? null : value];
  });
  return Object.fromEntries(tags);
}
