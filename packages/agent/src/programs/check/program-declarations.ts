import { needsArguments, type ProgramTools, type ShownTool } from "../program-tools.ts";
import { toLiteral, toTypeText } from "../type-text.ts";

/** What a program is checked against. */
export interface ProgramDeclarations {
  readonly text: string;
  /** The types of tools, by their names in the text. */
  readonly types: ReadonlyMap<string, ToolType>;
}

/** An object type of a tool's schema. */
export interface ToolType {
  /** The property of `tools`. */
  readonly property: string;
  readonly part: "args" | "result";
  readonly properties: readonly string[];
  /** Whether it is the whole of the arguments or the result. */
  readonly isWhole: boolean;
}

const maxLength = 256 * 1024;

/** The declaration of `tools` has this name. */
export const toolsType = "$Tools";
/** The declaration of `console` has this name. */
export const consoleType = "$Console";
/** What can be printed: everything but a promise. */
export const printableType = "$Printable";
/** What `tools.$search` and `tools.$describe` take. */
export const textType = "$Text";

// Functions take whatever the real ones take, so that only a certain mistake is one.
const globals = `type ${printableType} = string | number | bigint | boolean | symbol | null | undefined | (object & { then?: never });
declare function print(...values: ${printableType}[]): void;
interface ${consoleType} {
  log(...values: ${printableType}[]): void;
  info(...values: ${printableType}[]): void;
  warn(...values: ${printableType}[]): void;
  error(...values: ${printableType}[]): void;
  debug(...values: ${printableType}[]): void;
}
declare const console: ${consoleType};
declare function store(key: any, value?: ${printableType}): void;
declare function load(key: any): any;
declare class ToolError extends Error {
  readonly code: string;
  constructor(code: string, message: string);
}
declare function setTimeout(run: (...values: any[]) => any, delay?: any, ...values: any[]): number;
declare function clearTimeout(id?: any): void;
interface ${textType} extends String {}
declare const tools: ${toolsType};
`;

/** Declares a program's globals and the tools whose names occur in it: a session may have thousands. */
export function declareFor(code: string, tools: ProgramTools): ProgramDeclarations {
  const types = new Map<string, ToolType>();
  const parts = [globals];
  const members = [
    `$search(query: ${textType}): Promise<{ name: string; description: string }[]>;`,
    `$describe(name: ${textType}): Promise<string>;`,
  ];
  let length = 0;
  const declareType = (
    schema: unknown,
    { property, part }: Pick<ToolType, "property" | "part">,
  ): string => {
    const whole = `$${property.replace(/\W/gu, "_")}_${part}`;
    return toTypeText(schema, {
      name: whole,
      isRead: part === "result",
      declare: ({ name: wanted, body, properties }) => {
        let name = wanted;
        for (let number = 2; types.has(name); number++) name = `${wanted}_${number}`;
        types.set(name, { property, part, properties, isWhole: wanted === whole });
        parts.push(`interface ${name} ${body}\n`);
        length += body.length;
        return name;
      },
    });
  };
  for (const [property, tool] of findMentioned(code, tools)) {
    const name = toLiteral(property);
    if (length > maxLength) members.push(`${name}(args?: any): Promise<any>;`);
    else {
      const args = declareType(tool.input_schema, { property, part: "args" });
      const result = declareType(tool.output_schema, { property, part: "result" });
      const isOptional = !needsArguments(tool.input_schema);
      members.push(`${name}(args${isOptional ? "?" : ""}: ${args}): Promise<${result}>;`);
    }
  }
  parts.push(`interface ${toolsType} {\n${members.join("\n")}\n}\n`);
  return { text: parts.join(""), types };
}

function findMentioned(code: string, tools: ProgramTools): ReadonlyMap<string, ShownTool> {
  const words = code.match(/[\w$]+/gu) ?? [];
  const quoted = [...code.matchAll(/\[\s*(["'`])((?:(?!\1).){1,200})\1\s*\]/gu)];
  const found = new Map<string, ShownTool>();
  for (const name of [...words, ...quoted.map((match) => match[2] as string)]) {
    const tool = tools.find(name);
    if (tool !== undefined) found.set(name, tool);
  }
  return found;
}
