import type { Authenticator } from "../auth/authenticator.ts";
import { Problem } from "../problem.ts";

/**
 * An authenticator that refuses without saying how to bring a credential. Each route says that
 * itself: git sends a name and password only where `Basic` is offered.
 */
export function leaveChallenge(authenticator: Authenticator): Authenticator {
  return {
    authenticate: (authorization, organization) => {
      try {
        const found = authenticator.authenticate(authorization, organization);
        return found instanceof Promise ? found.catch(refuse) : found;
      } catch (error) {
        return refuse(error);
      }
    },
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof Problem) || error.status !== 401) throw error;
  throw new Problem(error.status, error.message);
}
