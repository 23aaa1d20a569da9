// For Haft's own packages. Unsupported: it changes without notice.
export { diffContents } from "./text/describe-change.ts";
export { findTools } from "./tool-search/tool-index.ts";
export { previewUndo } from "./undo-edit/undo-edit.ts";
export { convertPage } from "./web-fetch/convert-page.ts";
export { createWebFetch, type WebFetchOptions } from "./web-fetch/create-web-fetch.ts";
export type { ConvertedPage, FetchedPage, PageConverter } from "./web-fetch/page.ts";
export {
  describeSearchSetup,
  type SearchEnvironment,
  searchProvidersFrom,
  searchVariables,
} from "./web-search/search-providers.ts";
