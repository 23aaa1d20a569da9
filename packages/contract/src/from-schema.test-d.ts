import { describe, expectTypeOf, it } from "vitest";
import type { FromSchema } from "./from-schema.ts";
import type { JsonValue, ObjectSchema } from "./json-schema.ts";

describe("FromSchema", () => {
  it("knows the primitive types", () => {
    expectTypeOf<FromSchema<{ type: "string" }>>().toEqualTypeOf<string>();
    expectTypeOf<FromSchema<{ type: "number" }>>().toEqualTypeOf<number>();
    expectTypeOf<FromSchema<{ type: "integer" }>>().toEqualTypeOf<number>();
    expectTypeOf<FromSchema<{ type: "boolean" }>>().toEqualTypeOf<boolean>();
    expectTypeOf<FromSchema<{ type: "null" }>>().toEqualTypeOf<null>();
  });

  it("takes a list of types as a union", () => {
    expectTypeOf<FromSchema<{ type: readonly ["string", "null"] }>>().toEqualTypeOf<
      string | null
    >();
  });

  it("takes enum and const as literals", () => {
    expectTypeOf<FromSchema<{ type: "string"; enum: readonly ["a", "b"] }>>().toEqualTypeOf<
      "a" | "b"
    >();
    expectTypeOf<FromSchema<{ const: 5 }>>().toEqualTypeOf<5>();
  });

  it("tells required properties from optional ones", () => {
    type Schema = {
      readonly type: "object";
      readonly properties: {
        readonly path: { type: "string" };
        readonly limit: { type: "integer" };
      };
      readonly required: readonly ["path"];
    };
    expectTypeOf<FromSchema<Schema>>().toEqualTypeOf<{ path: string; limit?: number }>();
  });

  it("makes every property optional where nothing is required", () => {
    type Schema = { type: "object"; properties: { a: { type: "string" } } };
    expectTypeOf<FromSchema<Schema>>().toEqualTypeOf<{ a?: string }>();
  });

  it("follows arrays and objects inside each other", () => {
    type Schema = {
      readonly type: "object";
      readonly properties: {
        readonly rows: {
          readonly type: "array";
          readonly items: {
            readonly type: "object";
            readonly properties: {
              readonly cells: { readonly type: "array"; readonly items: { type: "number" } };
            };
            readonly required: readonly ["cells"];
          };
        };
      };
      readonly required: readonly ["rows"];
    };
    expectTypeOf<FromSchema<Schema>>().toEqualTypeOf<{ rows: { cells: number[] }[] }>();
  });

  it("makes a tuple of prefixItems", () => {
    type Schema = {
      readonly type: "array";
      readonly prefixItems: readonly [{ type: "number" }, { type: "string" }];
    };
    expectTypeOf<FromSchema<Schema>>().toEqualTypeOf<[number, string]>();
  });

  it("takes an array without items as an array of anything", () => {
    expectTypeOf<FromSchema<{ type: "array" }>>().toEqualTypeOf<JsonValue[]>();
  });

  it("types additional properties", () => {
    expectTypeOf<FromSchema<{ type: "object" }>>().toEqualTypeOf<{ [name: string]: JsonValue }>();
    expectTypeOf<
      FromSchema<{ type: "object"; additionalProperties: { type: "string" } }>
    >().toEqualTypeOf<{ [name: string]: string }>();
    type Open = {
      readonly type: "object";
      readonly properties: { readonly a: { type: "string" } };
      readonly required: readonly ["a"];
      readonly additionalProperties: true;
    };
    expectTypeOf<FromSchema<Open>>().toEqualTypeOf<{ [name: string]: JsonValue; a: string }>();
    expectTypeOf<FromSchema<Omit<Open, "additionalProperties">>>().toEqualTypeOf<{ a: string }>();
  });

  it("takes anyOf and oneOf as unions", () => {
    expectTypeOf<
      FromSchema<{
        anyOf: readonly [{ type: "string" }, { type: "array"; items: { type: "string" } }];
      }>
    >().toEqualTypeOf<string | string[]>();
    expectTypeOf<
      FromSchema<{ oneOf: readonly [{ type: "number" }, { const: "all" }] }>
    >().toEqualTypeOf<number | "all">();
  });

  it("keeps the properties of an object whose anyOf only refines it", () => {
    type Schema = {
      readonly type: "object";
      readonly properties: { readonly a: { type: "string" }; readonly b: { type: "string" } };
      readonly anyOf: readonly [{ required: readonly ["a"] }, { required: readonly ["b"] }];
    };
    expectTypeOf<FromSchema<Schema>>().toEqualTypeOf<{ a?: string; b?: string }>();
  });

  it("gives branches without a type the type of their parent", () => {
    type Schema = {
      readonly type: "object";
      readonly oneOf: readonly [
        { properties: { a: { type: "string" } }; required: readonly ["a"] },
        { properties: { b: { type: "number" } }; required: readonly ["b"] },
      ];
    };
    expectTypeOf<FromSchema<Schema>>().toEqualTypeOf<{ a: string } | { b: number }>();
  });

  it("falls back to any JSON for what it can't know", () => {
    expectTypeOf<FromSchema<Record<never, never>>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<FromSchema<true>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<FromSchema<ObjectSchema>>().toEqualTypeOf<{ [name: string]: JsonValue }>();
  });
});
