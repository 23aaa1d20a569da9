import type { DialectAlias } from "../dialect.ts";

/** `tool_search`, which no family has in these words and every one needs. */
export const toolSearch: DialectAlias = {
  name: "tool_search",
  tool: "tool_search",
  toData: (data) => {
    const { matches, message } = data as ToolSearchData;
    const lines = matches.map(({ name, description }) => `${name}: ${description}`);
    return [...lines, message].join("\n");
  },
};

interface ToolSearchData {
  readonly matches: readonly { readonly name: string; readonly description: string }[];
  readonly message: string;
}
