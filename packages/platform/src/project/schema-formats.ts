import { compilePattern, type SchemaFormat, type SchemaFormats } from "@haft/core/internal";
import { fastFormats } from "ajv-formats/dist/formats.js";

/** The formats that input schemas can use. */
export const schemaFormats: SchemaFormats = Object.fromEntries(
  Object.entries(fastFormats).map(([name, format]) => [name, toFormat(format)]),
);

type Format = (typeof fastFormats)[keyof typeof fastFormats];

function toFormat(format: Format): SchemaFormat {
  // The library's expression backtracks so much that a long text takes minutes. In lower case it is
  // equivalent.
  if (format === fastFormats.url) {
    const url = compilePattern((format as RegExp).source);
    return {
      type: "string",
      test: (text: string, spend) => url.test(text.toLowerCase(), spend),
    };
  }
  // Compiled once: compiling an expression takes longer than testing a text.
  if (format === fastFormats.regex) {
    const isRegex = toTest(format);
    return {
      type: "string",
      test: (text: string, spend) => {
        spend(20 * text.length);
        return isRegex(text as never);
      },
    };
  }
  const isNumeric = typeof format === "object" && "type" in format && format.type === "number";
  return { type: isNumeric ? "number" : "string", test: toTest(format) };
}

function toTest(format: Format): (value: never) => boolean {
  if (format instanceof RegExp) return (text: string) => format.test(text);
  if (typeof format === "function") return format as (text: string) => boolean;
  if (typeof format === "object") return toTest(format.validate as Format);
  return () => true;
}
