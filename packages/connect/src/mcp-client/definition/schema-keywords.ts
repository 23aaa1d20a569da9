/** Keywords that constrain values and contain no schemas. */
export const constraints: readonly string[] = [
  "type",
  "enum",
  "const",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "required",
  "dependentRequired",
  "nullable",
];

/** Keywords that only describe, beside title and description. */
export const annotations: readonly string[] = [
  "default",
  "examples",
  "format",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
];

/** Keywords whose value is a schema. `items` is not among them: drafts disagree about it. */
export const schemas: readonly string[] = [
  "additionalProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedItems",
  "unevaluatedProperties",
];

/** Keywords whose value is a list of schemas. */
export const listsOfSchemas: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];

/** Keywords whose value maps names to schemas. */
export const schemaMaps: readonly string[] = [
  "properties",
  "$defs",
  "definitions",
  "dependentSchemas",
];
