import type { FromSchema, JsonValue } from "@haft/contract";

/** The values that a schema of the API accepts, as they go over the wire. */
export type Wire<Schema> = DeepReadonly<FromSchema<Schema>>;

/** The same as a route receives it: members with a default are always present. */
export type Filled<Schema> = Schema extends { readonly properties: infer Properties }
  ? Wire<Schema> & {
      readonly [Name in keyof Properties as Properties[Name] extends { readonly default: unknown }
        ? Name
        : never]: Wire<Properties[Name]>;
    }
  : never;

// Any JSON is left as it is: its type has no end.
type DeepReadonly<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends object
    ? string extends keyof Value
      ? Readonly<Value>
      : { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;
