import { globSync, readFileSync } from "node:fs";
import { nativeIds } from "@haft/core/internal";
import { parseAst } from "rolldown/parseAst";

/** A text of the sources that models may read. */
export interface OwnText {
  /** The file and the beginning of the text. */
  readonly at: string;
  readonly text: string;
  /** Whether it is a description, a remedy, advice or passed to `nameTools`: what is rewritten for a model. */
  readonly isRewritten: boolean;
}

/** Returns the texts in the sources of the packages that tools and their errors come from. */
export function listOwnTexts(): readonly OwnText[] {
  const files = globSync("packages/{contract,core,computer,tools,agent,connect}/src/**/*.ts");
  return files
    .filter((file) => !/\.test\.ts$|test-support|\/testing\/|\/dialects\//u.test(file))
    .flatMap(readTexts);
}

function readTexts(file: string): readonly OwnText[] {
  const source = readFileSync(file, "utf8");
  // Most files name no tool.
  if (!mayMention.test(source)) return [];
  const texts: OwnText[] = [];
  const visit = (node: Node, isRewritten: boolean): void => {
    const text = textOf(node);
    if (text !== undefined) texts.push({ at: `${file}: ${text.slice(0, 60)}`, text, isRewritten });
    const within = isRewritten || rewritten.test(nameOf(node));
    for (const child of childrenOf(node)) visit(child, within);
  };
  visit(parseAst(source, { lang: "ts" }) as unknown as Node, false);
  return texts;
}

const mayMention = new RegExp(`\\b(?:${[...nativeIds].join("|")})\\b`, "u");
const rewritten = /description|remedy|advice|nameTools/iu;

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

function textOf(node: Node): string | undefined {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type !== "TemplateLiteral") return undefined;
  const parts = node.quasis as readonly { readonly value: { readonly cooked: string } }[];
  return parts.map(({ value }) => value.cooked).join("X");
}

// The name of a member, a variable, a function, or of the function that is called.
function nameOf(node: Node): string {
  const named = (node.key ?? node.id ?? node.callee) as Node | undefined;
  return typeof named?.name === "string" ? named.name : "";
}

function childrenOf(node: Node): readonly Node[] {
  return Object.values(node).flat().filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
