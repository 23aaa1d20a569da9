import type { ListedCall } from "../../api/machine-sessions.ts";
import { showLine } from "../../ui/show.ts";
import { describePassage } from "./describe-passage.ts";

/** The rule or the answer that decided about a call. */
export function DecisionText({ call }: { call: ListedCall }) {
  const { words, rule, more } = describePassage(call);
  return (
    <>
      {showLine(words, 100)}
      {rule !== undefined && (
        <>
          {" "}
          <code>{showLine(rule, 200)}</code>
        </>
      )}
      {more.map((each) => `; ${showLine(each, 100)}`)}
    </>
  );
}
