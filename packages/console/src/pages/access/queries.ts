import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "../../api/client.ts";

/** The roles of an organization. */
export function rolesQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "access", "roles"],
    queryFn: async () =>
      (
        await ask(
          api.GET("/v1/{organization}/organization/role/", { params: { path: { organization } } }),
        )
      ).roles,
    retry: false,
  });
}

/** The users of an organization. */
export function usersQuery(organization: string) {
  return queryOptions({
    queryKey: [organization, "access", "users"],
    queryFn: async () =>
      (await ask(api.GET("/v1/{organization}/user/", { params: { path: { organization } } })))
        .users,
    retry: false,
  });
}
