import type { ModelClass } from "../models/model-class.ts";
import type { ModelLimits, ProviderSettings } from "../models/model-settings.ts";
import type { ModelPrice } from "../models/open-model.ts";
import { providers } from "../models/providers.ts";
import type { AgentSettings, Budget, Budgets } from "./agent-settings.ts";
import {
  amount,
  complete,
  type FieldReader,
  fields,
  flag,
  namedBy,
  text,
  wholeNumber,
} from "./field-readers.ts";

const modelName = { expected: "PROVIDER/MODEL, such as openai/gpt-5", form: /^[^/\s]+\/\S+$/u };
const model = text(modelName.expected, modelName.form);
const providerNames = Object.keys(providers);
const providerName = {
  expected: `as one of the providers: ${providerNames.join(", ")}`,
  form: new RegExp(`^(?:${providerNames.join("|")})$`, "u"),
};

const budget = fields<Budget>({ maxTokens: wholeNumber(1), maxCost: amount });

// With less, not even the instructions fit.
const leastContext = 1000;

/** Reads a settings file. */
export const readSettingsFields: FieldReader<AgentSettings> = fields<AgentSettings>({
  model,
  modelClasses: fields<Record<ModelClass, string>>({
    fast: model,
    strong: model,
    reasoning: model,
  }),
  agent: text("the name of an agent", /\S/u),
  maxSteps: wholeNumber(1),
  maxTokens: wholeNumber(1),
  maxCost: amount,
  budgets: fields<Budgets>({
    session: budget,
    day: budget,
    agents: namedBy({ expected: "as an agent", form: /\S/u }, budget),
  }),
  maxDefinitionTokens: wholeNumber(1),
  contextTokens: wholeNumber(leastContext),
  retries: wholeNumber(0, 20),
  diagnostics: flag,
  compaction: flag,
  prices: namedBy(
    modelName,
    complete(fields<ModelPrice>({ input: amount, output: amount, cached: amount }), [
      "input",
      "output",
    ]),
  ),
  models: namedBy(
    modelName,
    fields<ModelLimits>({
      contextTokens: wholeNumber(leastContext),
      outputTokens: wholeNumber(1),
    }),
  ),
  providers: namedBy(
    providerName,
    fields<ProviderSettings>({
      baseUrl: text("a URL that begins with http:// or https://", /^https?:\/\/\S+$/u),
      apiKeyVariable: text(
        "the name of an environment variable, not the key itself",
        /^[A-Za-z_]\w{0,99}$/u,
      ),
    }),
  ),
});
