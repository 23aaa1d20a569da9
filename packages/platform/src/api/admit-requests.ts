import type {
  FastifyReply,
  FastifyRequest,
  HookHandlerDoneFunction,
  onRequestHookHandler,
} from "fastify";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Permission } from "../auth/permissions.ts";
import type { Principal } from "../auth/principal.ts";
import { mayOnSome, mayOnTool, maySeeTool } from "../auth/tool-access.ts";
import { toAuthorization } from "../console/session-cookie.ts";
import { idPattern } from "../new-id.ts";
import { Problem } from "../problem.ts";
import { unknownTool } from "../tools/require-tool.ts";
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
  const findRefusal = createDecision(route);
  const challenge = "basic" in route && route.basic ? 'Basic realm="Haft"' : "Bearer";

  const admit = (asked: Asked, principal: Principal): void => {
    const { tool_id: toolId } = asked.request.params as { readonly tool_id?: string };
    const found = findRefusal(principal, toolId);
    if (found instanceof Promise) {
      found.then(
        (refusal) => settle(asked, principal, refusal),
        (error: unknown) => refuse(asked, error),
      );
    } else settle(asked, principal, found);
  };
  const settle = (asked: Asked, principal: Principal, refusal: Problem | undefined): void => {
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
      found = authenticator.authenticate(
        toAuthorization(request.method, request.headers, organization),
        organization,
      );
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

const isId = new RegExp(idPattern, "u");

type Decision = (
  principal: Principal,
  toolId: string | undefined,
) => Problem | undefined | Promise<Problem | undefined>;

/** Creates the function that decides whether a caller may use a route. */
function createDecision({
  permission,
  about,
}: Pick<Exclude<AnyRoute, { handleOpen: unknown }>, "permission" | "about">): Decision {
  const needed = [permission ?? []].flat();
  return (principal, toolId) => {
    const missing = needed.find((each) =>
      about === undefined ? !principal.may(each) : !mayOnSome(principal, each),
    );
    if (missing !== undefined) return lacksPermission(missing);
    // Most callers have no limits, and pass without a look at the tool.
    if (about !== "tool" || toolId === undefined || principal.limits === undefined) {
      return undefined;
    }
    // What is not an id is refused by the route's schema.
    if (!isId.test(toolId)) return undefined;
    return findToolRefusal(principal, needed, toolId);
  };
}

async function findToolRefusal(
  principal: Principal,
  needed: readonly Permission[],
  toolId: string,
): Promise<Problem | undefined> {
  for (const permission of needed) {
    if (await mayOnTool(principal, permission, toolId)) continue;
    return (await maySeeTool(principal, toolId))
      ? lacksPermission(permission, "on this tool")
      : unknownTool(toolId);
  }
  return needed.length > 0 || (await maySeeTool(principal, toolId))
    ? undefined
    : unknownTool(toolId);
}

function lacksPermission(permission: Permission, where?: string): Problem {
  const what = where === undefined ? permission : `${permission} ${where}`;
  return new Problem(
    403,
    `The role of this key does not allow ${what}. Use a key with another role, or have the permission added to this role.`,
  );
}
