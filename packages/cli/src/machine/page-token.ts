import { ToolError } from "@haft/contract";

/** Converts the position of a page's last item to an opaque token. */
export function toToken(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** Converts a token back. Throws if it is not one of ours. */
export function fromToken(token: string | undefined): readonly (string | number)[] | undefined {
  if (token === undefined) return undefined;
  try {
    const position: unknown = JSON.parse(Buffer.from(token, "base64url").toString());
    if (Array.isArray(position) && position.length === 2) return position as (string | number)[];
  } catch {
    // Handled below.
  }
  throw new ToolError(
    "invalid-arguments",
    "continuation_token: not a token of this list. Use that of the page before, or none.",
  );
}
