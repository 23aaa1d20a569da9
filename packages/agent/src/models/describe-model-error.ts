import { createSecrets } from "@haft/core";
import { isLoopback } from "./base-url.ts";
import { providers } from "./providers.ts";
import { type ModelFailure, readFailure } from "./read-failure.ts";
import { retryAfter } from "./retry-after.ts";

/** What went wrong when a model was asked. */
export interface ModelErrorDescription {
  /** One sentence for the person, and the remedy. No key is ever in it. */
  readonly message: string;
  /** Whether the same request may go well later. */
  readonly isRetryable: boolean;
  /** How long the provider asks to wait before. */
  readonly retryAfterMs?: number;
  /** Less has to be sent. */
  readonly isContextTooLong?: boolean;
}

/** What is known beside the error. */
export interface ModelErrorContext {
  /** The variable that the key is in; the provider's usual one unless said. */
  readonly keyVariable?: string | undefined;
  /** Keys in it are hidden wherever they turn up; the process's unless said. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Says what an error means that came of asking a model, `PROVIDER/MODEL`. */
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
      return passing(`The answer of ${model} broke off${said(failure)}. Ask again.`);
    case "unreadable":
      return final(
        `${provider} answered in a way that can't be read${at(failure)}. Look whether the base URL is the right one for ${provider}.`,
      );
    case "answer":
      return describeAnswer(one);
    case "other":
      return {
        message: `${model} could not be asked${said(failure)}.`,
        isRetryable: failure.isRetryable,
      };
  }
}

function describeNetwork({ failure, model, provider }: Case): Description {
  const { networkCode = "", status, url } = failure;
  // Once an answer has begun, somebody was there.
  if (status !== undefined) return passing(`The answer of ${model} broke off. Ask again.`);
  if (networkCode === "ECONNREFUSED") {
    const message = `Nothing answers${at(failure)}. Start the model's server there, or give another --base-url.`;
    return { message, isRetryable: !isLocal(url) };
  }
  if (networkCode === "ENOTFOUND" || networkCode === "EAI_AGAIN") {
    const message = `The host of ${provider} is not found${at(failure)}. Look at the network and the base URL.`;
    return { message, isRetryable: networkCode === "EAI_AGAIN" };
  }
  if (/CERT/u.test(networkCode)) {
    return final(
      `The certificate of ${provider} is not trusted${at(failure)} (${networkCode}). Name its authority in NODE_EXTRA_CA_CERTS, or correct the base URL.`,
    );
  }
  if (/TIME/u.test(networkCode)) return passing(`${model} did not answer in time${at(failure)}.`);
  return passing(`The connection to ${provider} broke${at(failure)} (${networkCode}). Ask again.`);
}

function describeAnswer(one: Case): Description {
  const { failure, model, provider, variable } = one;
  const { status = 0, text, codes } = failure;
  if (isTooLong(failure)) {
    const message = `The thread is too long for ${model}. Begin a new one, or say how much it takes in the settings ("contextTokens").`;
    return { message, isRetryable: false, isContextTooLong: true };
  }
  if (status === 401 || /api.?key not valid|invalid.{0,5}api.?key/iu.test(text)) {
    return final(
      `${provider} does not accept the key in ${variable}. Set ${variable} to a valid key.`,
    );
  }
  if (status === 402 || codes.includes("insufficient_quota")) {
    return final(
      `The account at ${provider} has nothing left to pay ${model} with. Look at its billing.`,
    );
  }
  if (status === 403) {
    return final(
      `The key in ${variable} may not use ${model}${said(failure)}. Use another key or model.`,
    );
  }
  if (status === 404) {
    return final(
      `${provider} has no such model as ${nameOf(model)}, or not for this key${at(failure)}. Look at its name, and at the base URL if you gave one.`,
    );
  }
  if (status === 429)
    return passing(`${provider} wants fewer requests${said(failure)}. Try again in a while.`);
  if (failure.isRetryable || status >= 500) {
    const number = status === 0 ? "" : ` (${status})`;
    return passing(`${provider} could not answer${number}${said(failure)}. Try again in a while.`);
  }
  return final(`${provider} refuses the request to ${model}${said(failure)}.`);
}

const tooLong =
  /context.{0,10}(?:length|window|limit|size)|prompt is too long|maximum.{0,20}tokens|too many (?:input )?tokens|input.{0,20}token count.{0,40}exceeds|input is too long/iu;

function isTooLong({ status = 0, text, codes }: ModelFailure): boolean {
  if (codes.includes("context_length_exceeded") || codes.includes("request_too_large")) return true;
  if (status === 413) return true;
  // A server of one's own may use any number for it, but not those that say something else.
  return ![401, 402, 403, 404, 429].includes(status) && tooLong.test(text);
}

function passing(message: string): Description {
  return { message, isRetryable: true };
}

function final(message: string): Description {
  return { message, isRetryable: false };
}

const mostText = 300;

// In the provider's words, on one line and not too many of them.
function said({ text }: ModelFailure): string {
  const line = text.replaceAll(/\s+/gu, " ").trim().replace(/\.+$/u, "");
  if (line === "") return "";
  return `: ${line.length > mostText ? `${line.slice(0, mostText)}…` : line}`;
}

// Without what follows the path, where some have their key.
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
