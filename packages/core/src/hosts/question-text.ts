import type { Question } from "@haft/contract";

/** Returns a question as text: its header, the question, how to answer it, and its numbered options. */
export function toQuestionText(asked: Question): string {
  const { header, options = [], multi_select } = asked;
  const question = header === undefined ? asked.question : `${header}: ${asked.question}`;
  if (options.length === 0) return question;
  const how = multi_select === true ? "numbers separated by commas" : "a number";
  const list = options.map(({ label, description }, index) => {
    const more = description === undefined ? "" : `: ${description}`;
    return `  ${index + 1}  ${label}${more}`;
  });
  return [question, `  (${how}, or your own answer)`, ...list].join("\n");
}

/** Reads an answer to `toQuestionText`: the labels of options by their numbers, or what was written. */
export function readAnswer({ options = [], multi_select }: Question, text: string): string[] {
  const words = multi_select === true ? text.split(",") : [text];
  return words.map((word) => options[Number(word.trim()) - 1]?.label ?? word.trim());
}
