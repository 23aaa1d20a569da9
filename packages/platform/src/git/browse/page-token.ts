import { Problem } from "../../problem.ts";

/** The position of a page: `skip` items after `start`. */
export interface PagePosition {
  readonly start: string;
  readonly skip: number;
}

/** Serialises a position as an opaque token. */
export function toPageToken({ start, skip }: PagePosition): string {
  return Buffer.from(`${skip}:${start}`).toString("base64url");
}

/** Parses a token of `toPageToken`. */
export function fromPageToken(token: string): PagePosition {
  const match = /^(\d{1,9}):(.*)$/s.exec(Buffer.from(token, "base64url").toString("utf8"));
  const [, skip = "", start = ""] = match ?? [];
  if (match === null || toPageToken({ start, skip: Number(skip) }) !== token) {
    throw new Problem(
      400,
      "The continuation_token is not valid. Omit it to start from the first page.",
    );
  }
  return { start, skip: Number(skip) };
}
