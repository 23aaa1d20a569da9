import { createSecrets } from "@haft/core/internal";
import { isLoopback } from "./base-url.ts";
import { providers } from "./providers.ts";
import { type ModelFailure, readFailure } from "./read-failure.ts";
import { retryAfter } from "./retry-after.ts";

/** Why a model request failed. */
export interface ModelErrorDescription {
  /** What happened and what to do, for the user. Never contains a key. */
  readonly message: string;
  /** Whether the same request may succeed later. */
  readonly isRetryable: boolean;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
  /** Whether the request was too long. */
  readonly isContextTooLong?: boolean;
}

/** Context of the error. */
export interface ModelErrorContext {
  /** The variable that contains the key. Default: the provider's usual one. */
  readonly keyVariable?: string | undefined;
  /** Keys in it are removed from messages. Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Describes the error of a request to a model, given as `PROVIDER/MODEL`. */
export function describeModelError(
  error: unknown,
  model: string,
  context: ModelErrorContext = {},
): ModelErrorDescription {
  const failure = readFailure(error);
  const waiting = retryAfter(failure);
  const { message, ...rest } = describe({
    failure,
    model,
    provider: model.slice(0, Math.max(0, model.indexOf("/"))) || model,
    variable: context.keyVariable ?? keyVariableOf(model),
  });
  return {
    message: hideKeys(message, context.environment ?? process.env),
    ...rest,
    ...(rest.isRetryable && waiting !== undefined && { retryAfterMs: waiting }),
  };
}

interface Case {
  readonly failure: ModelFailure;
  readonly model: string;
  readonly provider: string;
  readonly variable: string;
}

type Description = Omit<ModelErrorDescription, "retryAfterMs">;

function describe(one: Case): Description {
  const { failure, model, provider } = one;
  switch (failure.kind) {
    case "aborted":
      return final(`The request to ${model} was stopped.`);
    case "network":
      return describeNetwork(one);
    case "incomplete":
      return passing(`The answer of ${model} was interrupted${said(failure)}. Try again.`);
    case "unreadable":
      return final(
        `The response of ${provider} can't be parsed${at(failure)}. Check whether the base URL is right for ${provider}.`,
      );
    case "answer":
      return describeAnswer(one);
    case "other":
      return {
        message: `The request to ${model} failed${said(failure)}.`,
        isRetryable: failure.isRetryable,
      };
  }
}

function describeNetwork({ failure, model, provider }: Case): Description {
  const { networkCode = "", status, url } = failure;
  // A response has begun, so the server was reachable.
  if (status !== undefined) return passing(`The answer of ${model} was interrupted. Try again.`);
  if (networkCode === "ECONNREFUSED") {
    const message = `No server is listening${at(failure)}. Start the model's server, or use another --base-url.`;
    return { message, isRetryable: !isLocal(url) };
  }
  if (networkCode === "ENOTFOUND" || networkCode === "EAI_AGAIN") {
    const message = `The host of ${provider} was not found${at(failure)}. Check the network and the base URL.`;
    return { message, isRetryable: networkCode === "EAI_AGAIN" };
  }
  if (/CERT/u.test(networkCode)) {
    return final(
      `The certificate of ${provider} is not trusted${at(failure)} (${networkCode}). Add its certificate authority to NODE_EXTRA_CA_CERTS, or correct the base URL.`,
    );
  }
  if (/TIME/u.test(networkCode)) return passing(`${model} did not answer in time${at(failure)}.`);
  return passing(
    `The connection to ${provider} was lost${at(failure)} (${networkCode}). Try again.`,
  );
}

function describeAnswer(one: Case): Description {
  const { failure, model, provider, variable } = one;
  const { status = 0, text, codes } = failure;
  if (isTooLong(failure)) {
    const message = `The thread is too long for ${model}. Start a new one, or set the model's context size in the settings ("contextTokens").`;
    return { message, isRetryable: false, isContextTooLong: true };
  }
  if (status === 401 || /api.?key not valid|invalid.{0,5}api.?key/iu.test(text)) {
    return final(
      `${provider} does not accept the key in ${variable}. Set ${variable} to a valid key.`,
    );
  }
  if (status === 402 || codes.includes("insufficient_quota")) {
    return final(`The account at ${provider} has no credit left for ${model}. Check its billing.`);
  }
  if (status === 403) {
    return final(
      `The key in ${variable} has no access to ${model}${said(failure)}. Use another key or model.`,
    );
  }
  if (status === 404) {
    return final(
      `${provider} has no model ${nameOf(model)}, or not for this key${at(failure)}. Check the name, and the base URL if you set one.`,
    );
  }
  if (status === 429)
    return passing(`${provider} limits the rate of requests${said(failure)}. Try again later.`);
  if (failure.isRetryable || status >= 500) {
    const number = status === 0 ? "" : ` (${status})`;
    return passing(`${provider} could not answer${number}${said(failure)}. Try again later.`);
  }
  return final(`${provider} rejected the request to ${model}${said(failure)}.`);
}

const tooLong =
  /context.{0,10}(?:length|window|limit|size)|prompt is too long|maximum.{0,20}tokens|too many (?:input )?tokens|input.{0,20}token count.{0,40}exceeds|input is too long/iu;

function isTooLong({ status = 0, text, codes }: ModelFailure): boolean {
  if (codes.includes("context_length_exceeded") || codes.includes("request_too_large")) return true;
  if (status === 413) return true;
  // Self-hosted servers use various status codes for it, but not those with another meaning.
  return ![401, 402, 403, 404, 429].includes(status) && tooLong.test(text);
}

function passing(message: string): Description {
  return { message, isRetryable: true };
}

function final(message: string): Description {
  return { message, isRetryable: false };
}

const maxTextLength = 300;

// The provider's message, on one line and of limited length.
function said({ text }: ModelFailure): string {
  const line = text.replaceAll(/\s+/gu, " ").trim().replace(/\.+$/u, "");
  if (line === "") return "";
  return `: ${line.length > maxTextLength ? `${line.slice(0, maxTextLength)}…` : line}`;
}

// Without the query, which may contain a key.
function at({ url }: ModelFailure): string {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed === null ? "" : ` at ${parsed.origin}${parsed.pathname}`;
}

function isLocal(url: string | undefined): boolean {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed !== null && isLoopback(parsed);
}

function nameOf(model: string): string {
  return model.slice(model.indexOf("/") + 1);
}

function keyVariableOf(model: string): string {
  const name = model.slice(0, Math.max(0, model.indexOf("/")));
  for (const [known, { keyVariables }] of Object.entries(providers)) {
    if (known === name) return keyVariables[0];
  }
  return "the provider's variable";
}

function hideKeys(
  message: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && /KEY|TOKEN|SECRET|PASSWORD/iu.test(name)) known[name] = value.trim();
  }
  return createSecrets(known).hide(message);
}
