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

/** A request whose caller has been authenticated. */
export interface AdmittedRequest extends FastifyRequest {
  principal: Principal;
}

/** Authenticates requests and counts refusals. */
export interface Admission {
  readonly authenticator: Authenticator;
  /** Returns the error to send instead, if an address was refused too often. */
  countRefusal(request: FastifyRequest, reply: FastifyReply): Promise<Problem | undefined>;
}

/**
 * Creates the hook that authenticates the caller and checks permissions, before the body is read. It
 * is not async, so that cached callers pass without a turn of the event loop.
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
    // The route decides on the challenge: git understands Basic only.
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
      `The role of this key does not allow ${permission}. Use a key with another role, or have the permission added to this role.`,
    );
  }
  return undefined;
}
