import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { paths } from "./schema.d.ts";

/** Who is signed in to an organization. */
export type SignIn = paths["/v1/whoami"]["get"]["responses"][200]["content"]["application/json"];

/** The organization that the page shows, and the others that this browser is signed in to. */
export interface Session extends SignIn {
  readonly others: readonly SignIn[];
  /** Whether the role grants a permission, at least on some tools. */
  may(permission: string): boolean;
  switchTo(organization: string): void;
  signOut(): Promise<void>;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("This component is shown without a sign-in.");
  return session;
}
