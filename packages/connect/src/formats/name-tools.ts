import type { Session } from "@haft/core";
import { createProviderNames, type NameRule, type ProviderNames } from "./provider-names.ts";

/** Returns the provider names of all of a session's tools, including those that are not shown. */
export function nameTools(session: Session, rule: NameRule): ProviderNames {
  const names = session.tools("all").map(({ name }) => name);
  return createProviderNames(names, rule);
}
