import { useQuery } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useEffect, useState } from "preact/hooks";
import { api, ask, onSignInLost } from "../api/client.ts";
import { followOrganization, stopFollowing } from "../api/live.ts";
import { queries } from "../api/queries.ts";
import { type Session, SessionContext, type SignIn } from "../api/session.ts";
import { router } from "../router.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { takeFromAddress } from "./take-from-address.ts";

const storageKey = "haft-organization";
const link = takeFromAddress();

/** Signs in with the link of the address if there is one, and shows the page or how to sign in. */
export function SignInGate() {
  const [problem, setProblem] = useState<string>();
  const { data, isPending, refetch } = useQuery({
    queryKey: ["sign-ins"],
    queryFn: async () => {
      if (link.signIn !== undefined) {
        const body = { link: link.signIn };
        delete link.signIn;
        await ask(api.POST("/v1/console/session", { body })).then(
          (signIn) => localStorage.setItem(storageKey, signIn.organization),
          (error: Error) => setProblem(error.message),
        );
      }
      return (await ask(api.GET("/v1/console/session"))).organizations as readonly SignIn[];
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  const [chosen, setChosen] = useState(
    () => link.organization ?? localStorage.getItem(storageKey) ?? "",
  );
  const current = data?.find(({ organization }) => organization === chosen) ?? data?.[0];
  const organization = current?.organization;
  useEffect(() => {
    if (organization === undefined) return undefined;
    followOrganization(organization);
    return stopFollowing;
  }, [organization]);
  useEffect(() => onSignInLost(() => void refetch()), [refetch]);

  if (isPending) return <p class="starting">Loading…</p>;
  if (current === undefined || data === undefined) {
    return <SignInPage problem={problem} onSignedIn={() => void refetch()} />;
  }
  const switchTo = (id: string): void => {
    localStorage.setItem(storageKey, id);
    setChosen(id);
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "sign-ins" });
  };
  const session: Session = {
    ...current,
    others: data.filter((each) => each !== current),
    may: (permission) =>
      current.permissions.some((each) => each === permission || each.startsWith(`${permission}@`)),
    switchTo,
    signOut: async () => {
      const path = { organization: current.organization };
      await ask(api.DELETE("/v1/console/session/{organization}", { params: { path } }));
      stopFollowing();
      queries.clear();
      await refetch();
    },
  };
  return (
    <SessionContext.Provider value={session} key={organization}>
      <ErrorBoundary>
        <RouterProvider router={router} />
      </ErrorBoundary>
    </SessionContext.Provider>
  );
}
