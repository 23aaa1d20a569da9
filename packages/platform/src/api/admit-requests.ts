import type {
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  onRequestHookHandler,
} from "fastify";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { Problem } from "../problem.ts";
import type { AnyRoute } from "./route.ts";

/** A request whose caller is known, once it was admitted. */
export interface AdmittedRequest extends FastifyRequest {
  principal: Principal;
}

/** Who decides on a request, and who counts those that were refused. */
export interface Admission {
  readonly authenticator: Authenticator;
  /** Gives what to answer instead, if an address is refused too often. */
  countRefusal(request: FastifyRequest, reply: FastifyReply): Promise<Problem | undefined>;
}

/**
 * Makes the hook that finds out who asks and whether they may, before anything of the body is read.
 * It is no async function, for whoever is known is let through at once.
 */
export function admitRequests(
  { authenticator, countRefusal }: Admission,
  route: Exclude<AnyRoute, { handleOpen: unknown }>,
): onRequestHookHandler {
  const needed = [route.permission ?? []].flat();
  const challenge = "basic" in route && route.basic ? 'Basic realm="Haft"' : "Bearer";

  const admit = (asked: Asked, principal: Principal): void => {
    const refusal = findMissing(needed, principal);
    if (refusal !== undefined) {
      refuse(asked, refusal);
      return;
    }
    (asked.request as AdmittedRequest).principal = principal;
    asked.done();
  };
  const refuse = ({ request, reply, done }: Asked, error: unknown): void => {
    if (!(error instanceof Problem) || error.status >= 500) {
      done(error as Error);
      return;
    }
    // How to bring a credential is the route's to say: git answers to Basic only.
    const told =
      error.status === 401
        ? new Problem(401, error.message, { "www-authenticate": challenge })
        : error;
    countRefusal(request, reply).then((instead) => done(instead ?? told), done);
  };

  return (request, reply, done) => {
    const asked = { request, reply, done };
    const { organization = "" } = request.params as { readonly organization?: string };
    let found: Principal | Promise<Principal>;
    try {
      found = authenticator.authenticate(request.headers.authorization, organization);
    } catch (error) {
      refuse(asked, error);
      return;
    }
    if (found instanceof Promise) {
      found.then(
        (principal) => admit(asked, principal),
        (error: unknown) => refuse(asked, error),
      );
    } else {
      admit(asked, found);
    }
  };
}

interface Asked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly done: HookHandlerDoneFunction;
}

function findMissing(needed: readonly Permission[], principal: Principal): Problem | undefined {
  for (const permission of needed) {
    if (principal.may(permission)) continue;
    return new Problem(
      403,
      `The role of this key does not allow ${permission}. Use a key whose role does, or have it added to the role.`,
    );
  }
  return undefined;
}
