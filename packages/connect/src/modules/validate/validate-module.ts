import { realpathSync } from "node:fs";
import { basename } from "node:path";
import type { ModuleTool, Tool } from "@haft/contract";
import { findDefinitionFault, toErrorMessage } from "@haft/contract/internal";
import type { Warn } from "../../tool-source.ts";
import { findEntry } from "../load/find-entry.ts";
import { isWhole, nameOf } from "../mount/adopt-tool.ts";
import { type Contributions, createContributionStore } from "../mount/contributions.ts";
import type { MountedModule, OfferedTool } from "../mount/mounted-module.ts";
import { type ModuleComputer, mountModule } from "../mount-module.ts";
import type { Environment } from "../plan/expand-environment.ts";
import type { ModuleConfig } from "../plan/mount-plan.ts";
import { type ChecklistId, type ChecklistItem, checklist, type Finding } from "./checklist-item.ts";
import { judgeExecution } from "./judge-execution.ts";
import { judgeSchema } from "./judge-schema.ts";

/** Options of `validateModule`. */
export interface ValidateOptions {
  readonly computer: ModuleComputer;
  readonly environment: Environment;
  /** The config that is passed to `mount`. Default: empty. */
  readonly config?: ModuleConfig;
  /** The names of built-in tools, which a plan has to rename or to prefer. */
  readonly takenNames?: Iterable<string>;
  readonly warn: Warn;
  /** Time limit for `mount` and for each call, in milliseconds. Default: 10,000. */
  readonly limitMs?: number;
}

/** The outcome of the whole checklist. */
export interface ModuleReport {
  readonly module: string;
  readonly language: "javascript" | "python" | undefined;
  /** The names of its tools. */
  readonly tools: readonly string[];
  readonly items: readonly ChecklistItem[];
  /** Whether no required item failed. */
  readonly passed: boolean;
}

type Findings = Partial<Record<ChecklistId, Finding>>;

/**
 * Runs the checklist for modules with tools. It mounts the module and calls its tools with wrong
 * input, so use it only for modules that you would mount anyway.
 */
export async function validateModule(
  directory: string,
  options: ValidateOptions,
): Promise<ModuleReport> {
  const { config = {}, limitMs = 10_000 } = options;
  const report = { module: basename(directory), language: undefined, tools: [] };
  const contributions = createContributionStore();
  let mounted: MountedModule;
  let language: ModuleReport["language"];
  try {
    const path = realpathSync(directory);
    const { type } = await findEntry(path, report.module);
    language = type === "python" ? "python" : "javascript";
    const context = { ...options, contributions, mountLimitMs: limitMs };
    mounted = await mountModule(path, { module: report.module, config }, context);
  } catch (error) {
    const message = toErrorMessage(error);
    return { ...report, language, ...settle({ "entry-point": { status: "fail", message } }) };
  }
  try {
    const { offered } = mounted;
    const findings: Findings = {
      "entry-point": { status: "pass" },
      ...(await judgeTools(offered, options)),
      observability: await judgeEvents(contributions),
    };
    const tools = offered.map(({ tool }) => String(nameOf(tool)));
    return { ...report, language, tools, ...settle(findings) };
  } finally {
    await mounted.close().catch((error: Error) => options.warn(error.message));
  }
}

async function judgeTools(
  offered: readonly OfferedTool[],
  { takenNames = [], limitMs = 10_000 }: ValidateOptions,
): Promise<Findings> {
  if (offered.length === 0) {
    const message = "It does not mount a tool.";
    const remedy = "Call coordinator.mount('tools', tool), or pass the config that it needs.";
    return { protocol: { status: "fail", message, remedy } };
  }
  const taken = new Set(takenNames);
  let worst: Findings = {};
  for (const { tool, fault } of offered) {
    const protocol = judgeProtocol(tool, { fault, taken });
    const found: Findings = { protocol };
    if (protocol.status === "pass") Object.assign(found, await judgeUse(tool, limitMs));
    worst = join(worst, found);
  }
  return worst;
}

function judgeProtocol(
  tool: Tool | ModuleTool,
  { fault, taken }: { readonly fault: string | undefined; readonly taken: ReadonlySet<string> },
): Finding {
  const complain = (message: string, remedy?: string): Finding => ({
    status: "fail",
    message,
    ...(remedy !== undefined && { remedy }),
  });
  if (fault !== undefined) return complain(fault);
  try {
    const id = nameOf(tool) as string;
    const { description } = tool;
    const { execute } = tool;
    const requires = isWhole(tool) ? tool.requires : {};
    const parameters = { type: "object" } as const;
    const wrong = findDefinitionFault({ id, description, parameters, requires, execute });
    if (wrong !== undefined) return complain(wrong);
    if (!taken.has(id)) return { status: "pass" };
    const message = `${id} is the name of a built-in tool. Mount it with "as: NAME" or "prefer: true".`;
    return { status: "pass", message };
  } catch (error) {
    return complain(`A tool can't be inspected: ${toErrorMessage(error)}`);
  }
}

// For a complete tool the session validates the input and builds the result.
async function judgeUse(tool: Tool | ModuleTool, limitMs: number): Promise<Findings> {
  const schema = isWhole(tool) ? tool.parameters : tool.input_schema;
  const { finding, wrongInputs } = await judgeSchema(String(nameOf(tool)), schema);
  if (!isWhole(tool)) {
    const executed = await judgeExecution(tool, wrongInputs, limitMs);
    return { "input-schema": finding, ...executed };
  }
  const pass: Finding = { status: finding.status === "pass" ? "pass" : "skip" };
  return { "input-schema": finding, "tool-result": pass, errors: pass, "validates-input": pass };
}

async function judgeEvents(contributions: Contributions): Promise<Finding> {
  const remedy =
    'Call coordinator.register_contributor("observability.events", "my-tool", callback) in mount(). The callback returns names such as "my-tool:started".';
  const offered = await contributions.collectContributions("observability.events");
  const events = offered.flat();
  if (events.length === 0)
    return { status: "fail", message: "It does not register events.", remedy };
  const strange = events.find((event) => typeof event !== "string" || event === "");
  if (strange === undefined) return { status: "pass" };
  return {
    status: "fail",
    message: `${JSON.stringify(strange)} is not the name of an event.`,
    remedy,
  };
}

// The worst outcome of several tools counts.
function join(first: Findings, second: Findings): Findings {
  const rank = { fail: 2, skip: 1, pass: 0 };
  const joined: Findings = { ...second };
  for (const [id, finding] of Object.entries(first) as [ChecklistId, Finding][]) {
    const other = joined[id];
    if (other === undefined || rank[finding.status] >= rank[other.status]) joined[id] = finding;
  }
  return joined;
}

function settle(findings: Findings): Pick<ModuleReport, "items" | "passed"> {
  const items = (Object.entries(checklist) as [ChecklistId, string][]).map(
    ([id, title]): ChecklistItem => {
      const unseen =
        id === "logs"
          ? "This can't be checked from outside."
          : "Not checked, because an earlier item failed.";
      const finding = findings[id] ?? { status: "skip", message: unseen };
      return { id, title, required: id !== "logs", ...finding };
    },
  );
  return { items, passed: items.every(({ status }) => status !== "fail") };
}
