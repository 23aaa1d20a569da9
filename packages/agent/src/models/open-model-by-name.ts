import { nearestNames } from "@haft/core/internal";
import { checkBaseUrl, isLoopback } from "./base-url.ts";
import type { ModelSettings, ProviderSettings } from "./model-settings.ts";
import type { ModelPrice, OpenModel } from "./open-model.ts";
import { type Provider, type ProviderName, providers } from "./providers.ts";

/** Options of `openModel`. */
export interface OpenModelOptions {
  readonly settings: ModelSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Base URL of the provider. Overrides settings and variables. */
  readonly baseUrl?: string | undefined;
}

/**
 * Opens a model by name, `PROVIDER/MODEL`. Rejects with a `TypeError` that says what to do if it can't
 * be opened.
 *
 * @example
 * ```ts
 * import { openModel } from "@haft/agent";
 *
 * const environment = { ANTHROPIC_API_KEY: "…" };
 * const model = await openModel("anthropic/claude-sonnet-4-5", { settings: {}, environment });
 * ```
 */
export async function openModel(name: string, options: OpenModelOptions): Promise<OpenModel> {
  const [providerName, modelName] = splitName(name);
  const provider = providers[providerName];
  const { settings } = options;
  const own = entryOf(settings.providers, providerName) ?? {};
  const baseUrl = findBaseUrl(providerName, own, options);
  const key = findKey(provider, own, options);
  const isLocal = baseUrl !== undefined && isLoopback(baseUrl.url);
  if (key.value === undefined && provider.needsKey && !isLocal) {
    throw new TypeError(
      `${name} needs a key in ${key.variable}. Set it where you start Haft: export ${key.variable}=YOUR_KEY`,
    );
  }
  // Some provider packages require a key even for servers that need none.
  const apiKey = key.value ?? (provider.needsKey ? "no-key" : undefined);
  const limits = entryOf(settings.models, name);
  const price = entryOf(settings.prices, name);
  if (settings.maxCost !== undefined) requirePrice(name, price);
  return {
    name,
    model: await provider.open({
      model: modelName,
      ...(apiKey !== undefined && { apiKey }),
      ...(baseUrl !== undefined && { baseURL: baseUrl.text }),
    }),
    form: provider.form,
    contextTokens: limits?.contextTokens ?? settings.contextTokens ?? provider.contextTokens,
    outputTokens: limits?.outputTokens ?? provider.outputTokens?.(modelName),
    price,
    keyVariable: key.variable,
  };
}

/** Throws a `TypeError` if the price of a model is unknown, because a cost limit could not be enforced. */
export function requirePrice(
  name: string,
  price: ModelPrice | undefined,
): asserts price is ModelPrice {
  if (price !== undefined) return;
  throw new TypeError(
    `The price of ${name} is unknown, so the cost limit can't be enforced. Add its prices per million tokens to ~/.config/haft/settings.json: { "prices": { ${JSON.stringify(name)}: { "input": 1, "output": 5 } } }, or remove the limit.`,
  );
}

function splitName(name: string): [ProviderName, string] {
  const slash = name.indexOf("/");
  const [provider, model] = slash < 0 ? [name, ""] : [name.slice(0, slash), name.slice(slash + 1)];
  if (slash < 0 || model.trim() === "") {
    throw new TypeError(
      `${JSON.stringify(name)} is not a model name. Use PROVIDER/MODEL, such as openai/gpt-5. Providers: ${listed()}.`,
    );
  }
  if (isProvider(provider)) return [provider, model];
  const [nearest] = nearestNames(provider, Object.keys(providers));
  const meant = nearest === undefined ? "" : ` Did you mean ${nearest}/${model}?`;
  throw new TypeError(
    `There is no provider ${JSON.stringify(provider)}.${meant} Providers: ${listed()}.`,
  );
}

function isProvider(name: string): name is ProviderName {
  return Object.hasOwn(providers, name);
}

function listed(): string {
  const names = Object.keys(providers);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function findBaseUrl(
  name: ProviderName,
  own: ProviderSettings,
  { baseUrl, environment }: OpenModelOptions,
): { url: URL; text: string } | undefined {
  const { baseUrlVariable } = providers[name];
  const places: readonly [string, string | undefined][] = [
    ["--base-url", baseUrl],
    [`"baseUrl" of ${name} in the settings`, own.baseUrl],
    [baseUrlVariable ?? "", baseUrlVariable && (environment[baseUrlVariable] || undefined)],
  ];
  for (const [source, text] of places) {
    if (text !== undefined) return { url: checkBaseUrl(text, source), text };
  }
  if (name !== "openai-compatible") return undefined;
  throw new TypeError(
    `${name} needs a base URL. Use --base-url URL, such as http://127.0.0.1:8080/v1, or add it to ~/.config/haft/settings.json: { "providers": { "${name}": { "baseUrl": "URL" } } }.`,
  );
}

function findKey(
  provider: Provider,
  { apiKeyVariable }: ProviderSettings,
  { environment }: OpenModelOptions,
): { variable: string; value: string | undefined } {
  const variables = apiKeyVariable === undefined ? provider.keyVariables : [apiKeyVariable];
  for (const variable of variables) {
    const value = environment[variable]?.trim();
    if (value) return { variable, value };
  }
  return { variable: variables[0] as string, value: undefined };
}

// A model's name may be that of an inherited property.
function entryOf<Value>(
  map: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
