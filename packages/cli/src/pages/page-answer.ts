import type { ErrorCode } from "@haft/contract";
import type { ConvertedPage } from "@haft/tools";

/** What the thread that makes text of a page says in the end. */
export type PageAnswer =
  | { readonly page: ConvertedPage }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } };
