/** The data of `web_fetch`. */
export interface PageData {
  readonly url: string;
  readonly final_url?: string;
  readonly status: number;
  readonly title?: string;
  readonly text: string;
  readonly note?: string;
}

/** Formats a page as text with its title, URL and status. */
export function describePage(data: PageData): string {
  const { url, final_url: end, status, title, text, note } = data;
  const head = [
    ...(title === undefined ? [] : [`Title: ${title}`]),
    `URL: ${end ?? url}`,
    ...(status === 200 ? [] : [`Status: ${status}`]),
  ];
  return `${head.join("\n")}\n\n${text}${note === undefined ? "" : `\n\n[${note}]`}`;
}

/** The data of `web_search`. */
export interface SearchData {
  readonly results: readonly SearchResult[];
}

interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** Formats search results as a numbered list. */
export function listResults(query: unknown, results: readonly SearchResult[]): string {
  if (results.length === 0) return `No results for ${JSON.stringify(query)}.`;
  const lines = results.map(
    ({ title, url, snippet }, at) => `${at + 1}. ${title}\n   ${url}\n   ${snippet}`,
  );
  return `Results for ${JSON.stringify(query)}:\n\n${lines.join("\n")}`;
}
