import type { DialectAlias } from "../dialect.ts";

/** `read_web_page`: the text of a page. */
export const readWebPage: DialectAlias = {
  name: "read_web_page",
  tool: "web_fetch",
  maxOutput: { bytes: 262_144 },
  toData: (data) => {
    const { text, note } = data as WebFetchData;
    if (text === undefined) return data;
    return note === undefined ? text : `${text}\n\n[${note}]`;
  },
};

interface WebFetchData {
  readonly text?: string;
  readonly note?: string;
}
