import { type Question, type RuntimeHost, ToolError } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { toPlainText } from "@haft/core/internal";

/** The answer to a server's elicitation. */
export interface Elicited {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, ElicitedValue>;
  readonly [key: string]: unknown;
}

type ElicitedValue = string | number | boolean | string[];

const maxFields = 10;
const maxOptions = 50;

/**
 * Asks a person what a server wants to know, one question per field. Without a person, or if the form
 * or an answer can't be used, the elicitation is cancelled.
 */
export async function answerElicitation(
  server: string,
  params: unknown,
  ask: RuntimeHost["question"],
): Promise<Elicited> {
  const fields = readFields(server, params);
  if (fields === undefined) return { action: "cancel" };
  let answers: string[][];
  try {
    answers = await ask(fields.map(({ question }) => question));
  } catch (error) {
    const isNo = ToolError.isInstance(error) && error.code === "rejected-by-user";
    return { action: isNo ? "decline" : "cancel" };
  }
  const values: [string, ElicitedValue][] = [];
  for (const [index, { name, isRequired, read }] of fields.entries()) {
    const answer = (answers[index] ?? []).filter((text) => text !== "");
    if (answer.length === 0 && !isRequired) continue;
    const value = read(answer);
    if (value === undefined) return { action: "cancel" };
    if (name !== undefined) values.push([name, value]);
    else if (value === false) return { action: "decline" };
  }
  return { action: "accept", content: Object.fromEntries(values) };
}

interface Field {
  /** Absent for a form without fields, which only asks for consent. */
  readonly name: string | undefined;
  readonly isRequired: boolean;
  readonly question: Question;
  /** Returns the value of an answer, or `undefined` if it is not valid. */
  read(answer: readonly string[]): ElicitedValue | undefined;
}

function readFields(server: string, params: unknown): readonly Field[] | undefined {
  if (!isPlainObject(params) || typeof params.message !== "string") return undefined;
  const schema = params.requestedSchema;
  if (!isPlainObject(schema) || !isPlainObject(schema.properties)) return undefined;
  const entries = Object.entries(schema.properties);
  if (entries.length > maxFields) return undefined;
  const head = `The MCP server ${server} asks: ${toPlainText(params.message, 4_000)}`;
  if (entries.length === 0) {
    const field = readField({ type: "boolean" }, "Agree?");
    return (
      field && [
        {
          ...field,
          name: undefined,
          isRequired: true,
          question: { ...field.question, question: head },
        },
      ]
    );
  }
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = entries.map(([name, property]): Field | undefined => {
    const isRequired = required.includes(name);
    const field = isPlainObject(property) ? readField(property, name) : undefined;
    return field && { ...field, name, isRequired };
  });
  if (!fields.every((field) => field !== undefined)) return undefined;
  return fields.map((field, index) => {
    const text = `${field.question.question}${field.isRequired ? "" : " (optional)"}`;
    const question = index === 0 ? `${head}\n\n${text}` : text;
    return { ...field, question: { ...field.question, question } };
  });
}

type Schema = Readonly<Record<string, unknown>>;

function readField(schema: Schema, name: string): Pick<Field, "question" | "read"> | undefined {
  const { title, description, type } = schema;
  const words = [typeof title === "string" ? title : name, description];
  const question = toPlainText(words.filter((text) => typeof text === "string").join(": "), 2_000);
  if (type === "boolean") {
    const options = [{ label: "yes" }, { label: "no" }];
    const read: Field["read"] = ([answer = ""]) => {
      const word = answer.toLowerCase();
      return word === "yes" || word === "no" ? word === "yes" : undefined;
    };
    return { question: { question, options }, read };
  }
  if (type === "number" || type === "integer") {
    const isFit = type === "integer" ? Number.isInteger : Number.isFinite;
    return {
      question: { question },
      read: ([answer = ""]) => (isFit(Number(answer)) ? Number(answer) : undefined),
    };
  }
  const isList = type === "array";
  const choices = readChoices(isList && isPlainObject(schema.items) ? schema.items : schema);
  if (choices === undefined) {
    return type === "string" ? { question: { question }, read: ([answer]) => answer } : undefined;
  }
  if (choices.length > maxOptions || (type !== "string" && !isList)) return undefined;
  const labels = choices.map(({ label }) => label);
  const isChoice = (answer: readonly string[]): boolean =>
    answer.every((one) => labels.includes(one));
  return {
    question: { question, options: choices, ...(isList && { multi_select: true }) },
    read: (answer) => {
      if (!isChoice(answer)) return undefined;
      return isList ? [...answer] : answer[0];
    },
  };
}

/** Reads the choices of `enum`, `oneOf` or `anyOf`; `undefined` if there are none. */
function readChoices({
  enum: plain,
  oneOf,
  anyOf,
}: Schema): NonNullable<Question["options"]> | undefined {
  const listed = plain ?? oneOf ?? anyOf;
  if (!Array.isArray(listed)) return undefined;
  return listed.flatMap((one: unknown) => {
    if (typeof one === "string") return [{ label: one }];
    if (!isPlainObject(one) || typeof one.const !== "string") return [];
    const { const: label, title } = one;
    const isTitled = typeof title === "string" && title !== label;
    return [{ label, ...(isTitled && { description: toPlainText(title, 500) }) }];
  });
}
