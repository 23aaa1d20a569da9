import type { JsonTypeName } from "@haft/contract";

/** A set of types. */
export type TypeBits = number;

/** Each type as a bit. An integer is a number as well. */
export const typeBit: Readonly<Record<JsonTypeName, TypeBits>> = {
  string: 1,
  number: 2,
  integer: 4,
  boolean: 8,
  null: 16,
  array: 32,
  object: 64,
};

/** No type was said, so that also what JSON has no word for passes. */
export const anyType: TypeBits = -1;

/** The types that a value has; none if JSON has no word for it. */
export function typeBitsOf(value: unknown): TypeBits {
  switch (typeof value) {
    case "string":
      return typeBit.string;
    case "number":
      if (Number.isInteger(value)) return typeBit.number | typeBit.integer;
      return Number.isFinite(value) ? typeBit.number : 0;
    case "boolean":
      return typeBit.boolean;
    case "object":
      if (value === null) return typeBit.null;
      return Array.isArray(value) ? typeBit.array : typeBit.object;
    default:
      return 0;
  }
}
