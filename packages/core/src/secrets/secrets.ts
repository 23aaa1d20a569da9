import { createFindAny } from "./find-any.ts";
import {
  type FoundSecret,
  findKnownSecrets,
  findSecrets,
  type KnownValues,
  separateSecrets,
} from "./find-secrets.ts";
import { listKnownForms } from "./known-forms.ts";
import { mapStrings } from "./map-strings.ts";
import { createPlaceholders, mayHoldPlaceholder, type SecretLocation } from "./placeholders.ts";
import { createSecretFilter, type SecretFilter } from "./secret-filter.ts";

/**
 * Keeps secrets out of what is shown. One policy for every tool's results, errors and sidecars:
 * values that are known to be secret, and texts that have the shape of one, become placeholders.
 */
export interface Secrets {
  /** The text with a placeholder for each secret; the text itself if there is none. */
  hide(text: string): string;
  /**
   * The same for all texts inside data; the data itself if there is none. The secrets can be put
   * back into the files that the data is from, if they are named.
   */
  hideInData<Data>(data: Data, from?: readonly SecretLocation[]): Data;
  /** Data with placeholders for the known values only, for what is kept otherwise as it came. */
  hideKnown<Data>(data: Data): Data;
  /** What the secrets in data are called, each once. */
  namesIn(data: unknown): readonly string[];
  /** The same for a text that comes in parts: a secret may begin in one and end in the next. */
  createFilter(): SecretFilter;
  /**
   * Data with the secrets put back for placeholders, each only into a file that this session saw it
   * in. A placeholder that stands for nothing there is a `ToolError` (`conflict`).
   */
  restore<Data>(data: Data, files: () => readonly string[]): Data;
}

/** Makes the policy for these known values, by name. */
export function createSecrets(known: Readonly<Record<string, string>>): Secrets {
  const forms = listKnownForms(known);
  const values: KnownValues = { forms, find: createFindAny([...forms.keys()]) };
  const placeholders = createPlaceholders();

  const replace = (
    text: string,
    found: readonly FoundSecret[],
    from: readonly SecretLocation[],
  ): string => {
    if (found.length === 0) return text;
    let shown = "";
    let at = 0;
    for (const secret of separateSecrets(found, 0)) {
      shown += text.slice(at, secret.start) + placeholders.handOut(secret, text, from);
      at = secret.hiddenEnd;
    }
    return shown + text.slice(at);
  };
  const hide = (text: string, from: readonly SecretLocation[]): string => {
    if (from.length > 0 && mayHoldPlaceholder(text)) placeholders.notice(text, from);
    return replace(text, findSecrets(text, values, true), from);
  };

  return {
    hide: (text) => hide(text, nowhere),
    hideInData: <Data>(data: Data, from = nowhere) =>
      mapStrings(data, (text) => hide(text, from)) as Data,
    hideKnown: <Data>(data: Data) => {
      if (forms.size === 0) return data;
      return mapStrings(data, (text) =>
        replace(text, findKnownSecrets(text, values), nowhere),
      ) as Data;
    },
    namesIn: (data) => {
      const names = new Set<string>();
      mapStrings(data, (text) => {
        for (const { name } of findSecrets(text, values, true)) names.add(name);
        return text;
      });
      return [...names];
    },
    createFilter: () =>
      createSecretFilter(values, (secret, text) => placeholders.handOut(secret, text, nowhere)),
    restore: <Data>(data: Data, files: () => readonly string[]) =>
      mapStrings(data, (text) =>
        mayHoldPlaceholder(text) ? placeholders.restore(text, files()) : text,
      ) as Data,
  };
}

const nowhere: readonly SecretLocation[] = [];
