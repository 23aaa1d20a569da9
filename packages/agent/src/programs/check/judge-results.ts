import type { ProgramTools } from "../program-tools.ts";
import type { Diagnostic } from "./diagnostic.ts";
import {
  type DiagnosticContext,
  describeMissingAwait,
  describeType,
  isReassigned,
  listNames,
  type Mistake,
} from "./mistake.ts";
import { consoleType, printableType, toolsType } from "./program-declarations.ts";

/** Judges a property that does not exist. */
export function judgeProperty(
  { message }: Diagnostic,
  context: DiagnosticContext,
): Mistake | undefined {
  const match = /^Property '(?<name>.*?)' does not exist on type '(?<type>.*?)'\./su.exec(message);
  const { name = "", type = "" } = match?.groups ?? {};
  if (type === toolsType) return describeUnknownTool(name, context.tools);
  if (isAssigned(name, context.code) || isReassigned(type, context)) return undefined;
  if (type === consoleType) {
    return { message: `console has no ${name} here. Use console.log or print.` };
  }
  if (type.startsWith("Promise<")) return describeMissingAwait(type, context);
  if (isGuarded(context)) return undefined;
  const item = type.replace(/(?:\[\])+$/u, "");
  const known = context.types.get(item);
  if (known === undefined) {
    const isPlain = /^(?:string|number|boolean)$/u.test(item);
    return isPlain ? { message: `${name} is not a property of ${type}.` } : undefined;
  }
  const has = `It has ${listNames(known.properties)}.`;
  return {
    property: known.property,
    message:
      item === type
        ? `${describeType(known)} has no property ${name}. ${has}`
        : `${name} is not a property of a list. ${describeType(known)} is its item. ${has}`,
  };
}

/** Tells whether the program assigns a property of this name itself. */
function isAssigned(name: string, code: string): boolean {
  const escaped = name.replace(/\W/gu, "\\$&");
  const target = `(?:\\.|\\[["'])${escaped}(?:["']\\])?`;
  return new RegExp(`${target}\\s*(?:[-+*/|&?]{0,2}=[^=>]|\\+\\+)`, "u").test(code);
}

/** Tells whether the program reckons with a missing property. */
function isGuarded({ before, after }: DiagnosticContext): boolean {
  if (/^\s*(?:\?|\|\||&&|=[^=>])/u.test(after)) return true;
  const receiver = /[\w$]+(?:\??\.[\w$]+|\[[^\]]*\])*\??\.$/u.exec(before);
  const lead = receiver === null ? "" : before.slice(0, receiver.index);
  return /(?:\?\?|\|\||&&|\bif\s*\(|\btypeof)\s*$/u.test(lead);
}

function describeUnknownTool(name: string, tools: ProgramTools): Mistake {
  const [first, ...others] = tools.near(name);
  if (first === undefined) {
    return {
      message: `There is no tool ${name}. Find tools with await tools.$search("words").`,
    };
  }
  const near = [first, ...others].map((each) => `tools.${each}`).join(" or ");
  return { message: `There is no tool ${name}. Did you mean ${near}?`, property: first };
}

/** Judges a result or a promise that is passed to a function that can't use it. */
export function judgePassed(
  { message }: Diagnostic,
  context: DiagnosticContext,
): Mistake | undefined {
  const match =
    /^Argument of type '(?<from>.*?)' is not assignable to parameter of type '(?<to>.*?)'\./su.exec(
      message,
    );
  const { from = "", to = "" } = match?.groups ?? {};
  const isParsed = to === "string" && /\bJSON\s*\.\s*parse\s*\(\s*$/u.test(context.before);
  if (from.startsWith("Promise<") && (isParsed || to === printableType)) {
    return describeMissingAwait(from, context);
  }
  const type = context.types.get(from);
  if (!isParsed || type === undefined || isReassigned(from, context)) return undefined;
  return {
    property: type.property,
    message: `JSON.parse takes a text. ${describeType(type)} is an object already.`,
  };
}

/** Judges a result from which the program expects properties that it does not have. */
export function judgeExpected(
  { message }: Diagnostic,
  { types, code }: DiagnosticContext,
): Mistake | undefined {
  const match =
    /Property '(?<name>[^']*)' is missing in type '(?<from>[^']*)' but required in type '(?<to>[^']*)'/u.exec(
      message,
    ) ??
    /Type '(?<from>[^']*)' is missing the following properties from type '(?<to>[^']*)': (?<name>[^\n]*)/u.exec(
      message,
    );
  const { name = "", from = "", to = "" } = match?.groups ?? {};
  const type = types.get(from);
  if (type?.part !== "result" || !/^\w+$/u.test(to)) return undefined;
  // Only a type that the program states is an expectation: a variable may get several kinds of values.
  if (!new RegExp(`\\b(?:interface|type)\\s+${to}\\b`, "u").test(code)) return undefined;
  return {
    property: type.property,
    message: `${describeType(type)} has no property ${name}. It has ${listNames(type.properties)}.`,
  };
}

const listCodes = new Set([2461, 2488, 2495, 2504, 2548, 2549]);

/** Judges a promise or a result in a place where only another kind of value works. */
export function judgeUse(diagnostic: Diagnostic, context: DiagnosticContext): Mistake | undefined {
  const { code, message, related } = diagnostic;
  const match = /Type '(?<type>.*?)'|types '(?<left>.*?)' and '(?<right>.*?)'/su.exec(message);
  const named = Object.values(match?.groups ?? {}).filter((text) => text !== undefined);
  if (named.includes(toolsType)) {
    return { message: "tools is no function. Call a tool with await tools.NAME({…})." };
  }
  const promise = named.find((text) => text.startsWith("Promise<"));
  const isForgotten = related.some((each) => each.message.includes("'await'"));
  if (promise !== undefined || isForgotten) return describeMissingAwait(promise ?? "", context);
  const [name = ""] = named;
  const type = context.types.get(name);
  if (type === undefined || !listCodes.has(code) || isReassigned(name, context)) return undefined;
  return {
    property: type.property,
    message: `${describeType(type)} is not a list. It has ${listNames(type.properties)}.`,
  };
}
