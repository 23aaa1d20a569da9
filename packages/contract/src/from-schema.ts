import type { JsonSchema, JsonTypeName, JsonValue } from "./json-schema.ts";

/** The TypeScript type of the values that a JSON Schema written as a literal accepts. */
export type FromSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly properties: unknown }
      ? FromType<S>
      : S extends { readonly anyOf: readonly (infer Branch)[] }
        ? FromBranch<Branch, S>
        : S extends { readonly oneOf: readonly (infer Branch)[] }
          ? FromBranch<Branch, S>
          : FromType<S>;

type FromType<S> = S extends { readonly type: readonly (infer Name)[] }
  ? FromNamedType<Name, S>
  : S extends { readonly type: infer Name }
    ? FromNamedType<Name, S>
    : JsonValue;

// A branch without a type has the type of the schema it belongs to.
type FromBranch<Branch, S> = Branch extends { readonly type: unknown }
  ? FromSchema<Branch>
  : S extends { readonly type: infer Name }
    ? FromSchema<Branch & { readonly type: Name }>
    : FromSchema<Branch>;

// Distributes over a union of names, so that `type: ["string", "null"]` gives `string | null`.
type FromNamedType<Name, S> = Name extends JsonTypeName
  ? {
      string: string;
      number: number;
      integer: number;
      boolean: boolean;
      null: null;
      array: FromArray<S>;
      object: FromObject<S>;
    }[Name]
  : JsonValue;

type FromArray<S> = S extends { readonly prefixItems: infer Items extends readonly JsonSchema[] }
  ? { -readonly [Index in keyof Items]: FromSchema<Items[Index]> }
  : S extends { readonly items: infer Item extends JsonSchema }
    ? FromSchema<Item>[]
    : JsonValue[];

type FromObject<S> = S extends { readonly properties: infer Properties }
  ? Flatten<
      {
        -readonly [Name in keyof Properties as Name extends RequiredName<S>
          ? Name
          : never]: FromSchema<Properties[Name]>;
      } & {
        -readonly [Name in keyof Properties as Name extends RequiredName<S>
          ? never
          : Name]?: FromSchema<Properties[Name]>;
      } & Additional<S>
    >
  : S extends { readonly additionalProperties: infer Extra extends JsonSchema }
    ? { [name: string]: FromSchema<Extra> }
    : { [name: string]: JsonValue };

type RequiredName<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

type Additional<S> = S extends { readonly additionalProperties: true }
  ? { [name: string]: JsonValue }
  : unknown;

type Flatten<T> = { [Key in keyof T]: T[Key] };
