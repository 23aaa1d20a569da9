import type { JsonObject } from "../json.ts";
import type { ToolRun } from "../runner/runner.ts";
import type { ToolVariables } from "../versions/resolved-version.ts";
import { createHideSecrets, type HideSecrets } from "./hide-secrets.ts";
import type { InvokeInput } from "./invoke-request.ts";

/** The variables in a user's profile. */
export interface UserVariableValues {
  readonly plain: Readonly<Record<string, string>>;
  readonly sensitive: Readonly<Record<string, string>>;
}

interface Given {
  readonly variables: ToolVariables;
  readonly user: UserVariableValues | undefined;
}

/** The user variables of an input, and what hides the secrets of its run. */
export interface FilledVariables extends Pick<ToolRun, "userVariables" | "sensitiveUserVariables"> {
  readonly hide: HideSecrets;
}

/** Returns the user variables of an input, with those of the user's profile. */
export function fillVariables(input: InvokeInput, { variables, user }: Given): FilledVariables {
  const { nonsensitive_user_variables: plain, sensitive_user_variables: sensitive } = input;
  const all = user === undefined ? sensitive : { ...user.sensitive, ...sensitive };
  return {
    hide: createHideSecrets([...Object.values(all), ...variables.secrets]),
    // A variable of the request overrides one of the profile, plain or sensitive.
    userVariables: user === undefined ? plain : without({ ...user.plain, ...plain }, sensitive),
    sensitiveUserVariables: user === undefined ? sensitive : without(all, plain),
  };
}

/** Creates a run of an input. */
export function toRun(
  invocationId: string,
  input: InvokeInput,
  {
    variables,
    conversation,
    filled,
  }: {
    readonly variables: ToolVariables;
    readonly conversation: JsonObject | null;
    readonly filled: FilledVariables;
  },
): ToolRun {
  return {
    invocationId,
    mode: input.invocation_mode,
    input: input.input_parameters,
    config: variables.values,
    conversation,
    userVariables: filled.userVariables,
    sensitiveUserVariables: filled.sensitiveUserVariables,
    ...(variables.secrets.length > 0 && { secrets: variables.secrets }),
  };
}

function without(
  variables: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const isOther = ([name]: [string, string]): boolean => !Object.hasOwn(others, name);
  return Object.fromEntries(Object.entries(variables).filter(isOther));
}
