/** A browser that is signed in with a key, or a link that signs one in. */
export interface ConsoleSessionRow {
  id: string;
  org_id: string;
  key_id: string;
  /** A link is deleted when it is used. */
  kind: "link" | "session";
  /** SHA-256 of the token, in hexadecimal. */
  hash: string;
  /** What the browser calls itself; empty for a link. */
  client: string;
  created_at: number;
  expires_at: number;
}
