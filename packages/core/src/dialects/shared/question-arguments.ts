import type { Given } from "./given.ts";
import { leaveOut } from "./given.ts";

/** A question as the families put it. */
interface GivenQuestion {
  readonly id?: string;
  readonly question: string;
  readonly header?: string;
  readonly type?: string;
  readonly options?: readonly GivenOption[];
  readonly multiSelect?: boolean;
}

interface GivenOption {
  readonly label: string;
  readonly description?: string;
}

/** The questions that were given, as they were given. */
export function givenQuestions({ questions }: Given): readonly GivenQuestion[] {
  return questions as readonly GivenQuestion[];
}

/** Questions in the terms of `question`. */
export function toQuestionArguments(given: Given): unknown {
  const questions = givenQuestions(given).map(({ question, header, type, options, multiSelect }) =>
    leaveOut({
      question,
      header: header || undefined,
      options: type === "yesno" ? [{ label: "Yes" }, { label: "No" }] : toOptions(options, type),
      multi_select: multiSelect,
    }),
  );
  return { questions };
}

function toOptions(
  options: readonly GivenOption[] | undefined,
  type: string | undefined,
): GivenOption[] | undefined {
  if (options === undefined || options.length === 0 || type === "text") return undefined;
  return options.map(({ label, description }) =>
    leaveOut({ label, description: description || undefined }),
  ) as GivenOption[];
}

/** What was answered to each question; one array of answers per question. */
export function answersOf(data: unknown): readonly (readonly string[])[] {
  return (data as { readonly answers: readonly (readonly string[])[] }).answers;
}
