import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@haft/contract/internal";
import type { InboxItemRow } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";

/** What a person fills in to answer an item. Either choices, one button each, or fields. */
export interface LinkForm {
  readonly choices?: readonly LinkChoice[];
  readonly fields?: readonly LinkField[];
  /** Whether the answer is the value of the only field, not an object. */
  readonly isBare?: boolean;
}

/** An answer that a button gives. */
export interface LinkChoice {
  readonly label: string;
  readonly answer: unknown;
}

/** One value of an answer. */
export interface LinkField {
  /** Its name in the answer. */
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "number" | "choice";
  readonly choices: readonly LinkChoice[];
  readonly isRequired: boolean;
}

type FormItem = Pick<InboxItemRow, "kind" | "schema">;

const maxChoices = 20;
const maxFields = 20;
const yesAndNo: readonly LinkChoice[] = [
  { label: "Yes", answer: true },
  { label: "No", answer: false },
];
// "always" stores a rule. That takes more than a link.
const approvalChoices: readonly LinkChoice[] = [
  { label: "Allow once", answer: "once" },
  { label: "Deny", answer: "no" },
];

/** Returns the form of an item, for one answer only if that is given, or a sentence why it has none. */
export function toLinkForm(item: FormItem, answer?: unknown): LinkForm | string {
  const form = readForm(item);
  if (form === undefined) {
    return "A link can answer questions whose schema is a text, number, boolean or enum, or an object of these. Answer this one with haft inbox answer.";
  }
  if (answer === undefined) return form;
  const known = form.choices?.find((choice) => isDeepStrictEqual(choice.answer, answer));
  if (form.choices !== undefined && known === undefined) {
    const all = form.choices.map((choice) => JSON.stringify(choice.answer)).join(", ");
    return `A link for this question can answer ${all}.`;
  }
  return { choices: [known ?? { label: JSON.stringify(answer), answer }] };
}

function readForm(item: FormItem): LinkForm | undefined {
  if (item.kind === "approval") return { choices: approvalChoices };
  const schema = readStoredJsonOr<unknown>(item.schema ?? "true", undefined, () => true);
  if (schema === true) return toBare({ type: "string" });
  if (!isPlainObject(schema)) return undefined;
  const bare = toBare(schema);
  if (bare !== undefined || schema.type !== "object") return bare;
  const { properties, required } = schema;
  if (!isPlainObject(properties)) return undefined;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties);
  if (names.length > maxFields || needed.some((name) => !names.includes(String(name)))) {
    return undefined;
  }
  const fields = names.map((name) => toField(name, properties[name], needed.includes(name)));
  return fields.every((field) => field !== undefined) ? { fields } : undefined;
}

function toBare(schema: Readonly<Record<string, unknown>>): LinkForm | undefined {
  const field = toField("", schema, true);
  if (field === undefined) return undefined;
  if (field.type === "choice") return { choices: field.choices };
  return { fields: [field], isBare: true };
}

function toField(name: string, schema: unknown, isRequired: boolean): LinkField | undefined {
  if (!isPlainObject(schema)) return undefined;
  const { title, description } = schema;
  const texts = [title, description].filter((text) => typeof text === "string" && text !== "");
  const label = [texts[0] ?? (name === "" ? "Answer" : name), ...texts.slice(1)].join(": ");
  const shared = { name, label, isRequired };
  const values = Array.isArray(schema.enum) ? (schema.enum as readonly unknown[]) : undefined;
  if (values !== undefined) {
    const isSimple = values.every((each) => ["string", "number", "boolean"].includes(typeof each));
    if (!isSimple || values.length === 0 || values.length > maxChoices) return undefined;
    const choices = values.map((each) => ({ label: String(each), answer: each }));
    return { ...shared, type: "choice", choices };
  }
  switch (schema.type) {
    case "boolean":
      return { ...shared, type: "choice", choices: yesAndNo };
    case "string":
      return { ...shared, type: "text", choices: [] };
    case "number":
    case "integer":
      return { ...shared, type: "number", choices: [] };
    default:
      return undefined;
  }
}

/** Reads the answer from what the page sent. `undefined` if it sent no choice. */
export function readSentAnswer(form: LinkForm, sent: URLSearchParams): unknown {
  if (form.choices !== undefined) return form.choices[Number(sent.get("choice") ?? -1)]?.answer;
  const values = (form.fields ?? []).map((field, index) => {
    const text = sent.get(`field${index}`) ?? "";
    return [
      field.name,
      text === "" && !field.isRequired ? undefined : toValue(field, text),
    ] as const;
  });
  if (form.isBare === true) return values[0]?.[1];
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

// What is no number or choice is left to the schema, whose error the person then sees.
function toValue({ type, choices }: LinkField, text: string): unknown {
  if (type === "text") return text;
  if (type === "choice") return text === "" ? text : (choices[Number(text)]?.answer ?? text);
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? text : number;
}
