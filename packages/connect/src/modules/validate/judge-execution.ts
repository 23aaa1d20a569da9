import { isModuleToolResult, type JsonValue, type ModuleTool, ToolError } from "@haft/contract";
import { keepWithin } from "../mount/time-limit.ts";
import type { ChecklistId, Finding } from "./checklist-item.ts";

/** What is found by giving a tool wrong input. */
export type ExecutionFindings = Readonly<
  Record<Extract<ChecklistId, "tool-result" | "errors" | "validates-input">, Finding>
>;

type Inputs = readonly Readonly<Record<string, JsonValue>>[];

/** Gives a tool inputs that its schema forbids, and looks at what it does with them. */
export async function judgeExecution(
  tool: ModuleTool,
  wrongInputs: Inputs,
  limitMs: number,
): Promise<ExecutionFindings> {
  if (wrongInputs.length === 0) {
    return allOf(skip(`${tool.name}: no input is wrong for its schema, so nothing was tried.`));
  }
  let found: ExecutionFindings = allOf({ status: "pass" });
  for (const input of wrongInputs) {
    found = worst(found, await tryInput(tool, input, limitMs));
    // Whoever hangs once would hang every time.
    if (found.errors.status === "fail") return found;
  }
  return found;
}

async function tryInput(
  tool: ModuleTool,
  input: Readonly<Record<string, JsonValue>>,
  limitMs: number,
): Promise<ExecutionFindings> {
  const said = `${tool.name} was given ${JSON.stringify(input)}`;
  try {
    const answer = (async () => tool.execute(input))();
    const message = `no answer within ${limitMs / 1000} s`;
    const result = await keepWithin(answer, { ms: limitMs, message });
    if (!isModuleToolResult(result)) {
      return {
        ...allOf({ status: "pass" }),
        "tool-result": fail(`${said} and returned no ToolResult.`, returnResult),
        "validates-input": fail(`${said} and took it.`, refuseInput),
      };
    }
    if (!result.success) return allOf({ status: "pass" });
    return {
      ...allOf({ status: "pass" }),
      "validates-input": fail(`${said} and said success.`, refuseInput),
    };
  } catch (error) {
    if (ToolError.isInstance(error) && error.code === "invalid-arguments") {
      return allOf({ status: "pass" });
    }
    const what = error instanceof Error ? error.message : String(error);
    const unseen = skip("Nothing was returned.");
    return {
      "tool-result": unseen,
      errors: fail(`${said}: ${what}`, returnFailure),
      "validates-input": unseen,
    };
  }
}

const returnResult = "Return {success: true, output: …} or {success: false, error: {message: …}}.";
const returnFailure =
  "Catch what goes wrong and return {success: false, error: {message: …, type: …}}.";
const refuseInput =
  "Check what the schema requires, and return {success: false, error: {message: …}} if it is not there.";

function worst(first: ExecutionFindings, second: ExecutionFindings): ExecutionFindings {
  const pick = (id: keyof ExecutionFindings): Finding =>
    first[id].status === "pass" ? second[id] : first[id];
  return {
    "tool-result": pick("tool-result"),
    errors: pick("errors"),
    "validates-input": pick("validates-input"),
  };
}

function allOf(finding: Finding): ExecutionFindings {
  return { "tool-result": finding, errors: finding, "validates-input": finding };
}

function fail(message: string, remedy: string): Finding {
  return { status: "fail", message, remedy };
}

function skip(message: string): Finding {
  return { status: "skip", message };
}
