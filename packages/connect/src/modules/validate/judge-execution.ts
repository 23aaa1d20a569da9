import { type JsonValue, type ModuleTool, ToolError } from "@haft/contract";
import { isModuleToolResult, toErrorMessage } from "@haft/contract/internal";
import { keepWithin } from "../mount/time-limit.ts";
import type { ChecklistId, Finding } from "./checklist-item.ts";

/** The outcomes of calling a tool with wrong input. */
export type ExecutionFindings = Readonly<
  Record<Extract<ChecklistId, "tool-result" | "errors" | "validates-input">, Finding>
>;

type Input = Readonly<Record<string, JsonValue>>;

/**
 * Calls a tool with inputs that its schema forbids and checks how it reacts. It must refuse an input
 * without its required parameters. Types are checked by Haft before a call, so a tool need not.
 */
export async function judgeExecution(
  tool: ModuleTool,
  wrongInputs: readonly Input[],
  limitMs: number,
): Promise<ExecutionFindings> {
  if (wrongInputs.length === 0) {
    return allOf(skip(`${tool.name}: its schema accepts every input, so nothing was tried.`));
  }
  let found: ExecutionFindings = allOf({ status: "pass" });
  for (const input of wrongInputs) {
    found = worst(found, await tryInput(tool, input, limitMs));
    // A tool that hangs once would hang every time.
    if (found.errors.status === "fail") return found;
  }
  return found;
}

async function tryInput(
  tool: ModuleTool,
  input: Input,
  limitMs: number,
): Promise<ExecutionFindings> {
  const lacking = requiredBy(tool).filter((name) => !Object.hasOwn(input, name));
  const validates: Finding =
    lacking.length === 0
      ? { status: "pass" }
      : fail(
          `${tool.name} was called with ${JSON.stringify(input)}, without the required ${lacking.join(", ")}, and did not refuse it.`,
          refuseInput,
        );
  const said = `${tool.name} was called with ${JSON.stringify(input)}`;
  try {
    const answer = (async () => tool.execute(input))();
    const message = `no result within ${limitMs / 1000} s`;
    const result = await keepWithin(answer, { ms: limitMs, message });
    if (!isModuleToolResult(result)) {
      return {
        ...allOf({ status: "pass" }),
        "tool-result": fail(`${said} and did not return a ToolResult.`, returnResult),
        "validates-input": validates,
      };
    }
    if (!result.success) return allOf({ status: "pass" });
    return { ...allOf({ status: "pass" }), "validates-input": validates };
  } catch (error) {
    if (ToolError.isInstance(error) && error.code === "invalid-arguments") {
      return allOf({ status: "pass" });
    }
    const what = toErrorMessage(error);
    const unseen = skip("It returned nothing.");
    return {
      "tool-result": unseen,
      errors: fail(`${said}: ${what}`, returnFailure),
      "validates-input": unseen,
    };
  }
}

const returnResult = "Return {success: true, output: …} or {success: false, error: {message: …}}.";
const returnFailure = "Catch exceptions and return {success: false, error: {message: …, type: …}}.";
const refuseInput =
  "Check the required fields of the schema, and return {success: false, error: {message: …}} if one is missing.";

function requiredBy({ input_schema: schema }: ModuleTool): readonly string[] {
  const { required } = (schema ?? {}) as { required?: unknown };
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}

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
