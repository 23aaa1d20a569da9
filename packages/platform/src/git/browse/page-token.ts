import { Problem } from "../../problem.ts";

/** Where a page begins: so many items after the first, of a list that begins at `start`. */
export interface PagePosition {
  readonly start: string;
  readonly skip: number;
}

/** Writes a position as a token that says nothing to its reader. */
export function toPageToken({ start, skip }: PagePosition): string {
  return Buffer.from(`${skip}:${start}`).toString("base64url");
}

/** Reads a token that `toPageToken` wrote. */
export function fromPageToken(token: string): PagePosition {
  const match = /^(\d{1,9}):(.*)$/s.exec(Buffer.from(token, "base64url").toString("utf8"));
  const [, skip = "", start = ""] = match ?? [];
  if (match === null || toPageToken({ start, skip: Number(skip) }) !== token) {
    throw new Problem(
      400,
      "The continuation_token is not one that was given out here. Leave it out to begin anew.",
    );
  }
  return { start, skip: Number(skip) };
}
