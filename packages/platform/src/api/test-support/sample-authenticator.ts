import type { Authenticator } from "../../auth/authenticator.ts";
import type { Permission } from "../../auth/permissions.ts";
import type { Principal } from "../../auth/principal.ts";
import { Problem } from "../../problem.ts";

export const organization = "a".repeat(24);
export const otherOrganization = "b".repeat(24);

/** A key for tests: what it may do, and where. */
export interface SampleKey {
  readonly token: string;
  readonly organization: string;
  readonly permissions: readonly Permission[] | "all";
}

export const administrator: SampleKey = { token: "token-all", organization, permissions: "all" };
export const powerless: SampleKey = { token: "token-none", organization, permissions: [] };
export const stranger: SampleKey = {
  token: "token-elsewhere",
  organization: otherOrganization,
  permissions: "all",
};

/** Knows some keys, as bearer or as the password of Basic; `slow` ones only after a while. */
export function createSampleAuthenticator(
  keys: readonly SampleKey[] = [administrator, powerless, stranger],
): Authenticator {
  const principals = new Map(keys.map((key) => [key.token, toPrincipal(key)]));
  return {
    authenticate: (authorization, wanted) => {
      const token = toToken(authorization);
      const principal = principals.get(token.replace(/^slow-/u, ""));
      if (principal === undefined) {
        const problem = new Problem(401, "The credential is missing or not valid. Sign in again.");
        if (token.startsWith("slow-")) return Promise.reject(problem);
        throw problem;
      }
      if (principal.organization !== wanted)
        throw new Problem(404, "There is no such organization.");
      return token.startsWith("slow-") ? Promise.resolve(principal) : principal;
    },
  };
}

function toToken(authorization: string | undefined): string {
  const [scheme = "", rest = ""] = (authorization ?? "").split(" ");
  if (scheme !== "Basic") return rest;
  return Buffer.from(rest, "base64").toString().split(":")[1] ?? "";
}

function toPrincipal({ token, organization, permissions }: SampleKey): Principal {
  return {
    organization,
    userId: "c".repeat(24),
    keyId: `key of ${token}`,
    role: "role",
    may: (permission) => permissions === "all" || permissions.includes(permission),
  };
}
