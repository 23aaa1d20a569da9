import type { AnyRoute } from "../api/route.ts";
import { apiKeyRoutes } from "./api-key-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import type { OrganizationServices } from "./organization-services.ts";
import { roleRoutes } from "./role-routes.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { userRoutes } from "./user-routes.ts";

/** Everything about who may do what, over HTTP. */
export function organizationRoutes(services: OrganizationServices): readonly AnyRoute[] {
  return [
    ...apiKeyRoutes(services),
    ...signInRoutes(services),
    ...roleRoutes(services),
    ...userRoutes(services),
    ...auditRoutes(services),
  ];
}
