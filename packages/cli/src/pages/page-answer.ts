import type { ErrorCode } from "@haft/contract";
import type { ConvertedPage } from "@haft/tools/internal";

/** The answer of the conversion thread. */
export type PageAnswer =
  | { readonly page: ConvertedPage }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } };
