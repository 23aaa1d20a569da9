import { readUntrustedFile } from "@haft/computer/internal";
import { type JsonValue, ToolError } from "@haft/contract";
import { parseRule, type Rule, type RuleScope } from "@haft/core";
import { formatRule } from "@haft/core/internal";
import type { MachineService } from "@haft/platform/internal";
import {
  requireValid,
  simulateSessions,
  summarizeSimulation,
} from "../commands/permissions-simulate.ts";
import { openRecorder } from "../open-recorder.ts";
import { openWorkspace, type Workspace } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { ruleFileOf } from "../options/rule-scope.ts";
import type { Simulation } from "../options/simulate-rule.ts";
import { UsageError } from "../usage-error.ts";
import type { MachineRecords } from "./machine-records.ts";

type Part = Pick<MachineService, "listRules" | "checkCall" | "simulateRule">;

const scopes: readonly RuleScope[] = ["manifest", "session", "project", "default"];
const progressMs = 200;
const dayMs = 24 * 60 * 60 * 1_000;

/** Creates the part of the service that is about rules. */
export function createRulePages(records: MachineRecords): Part {
  const { io } = records;
  const withWorkspace = async <Result>(
    options: CommonOptions,
    work: (workspace: Workspace) => Promise<Result> | Result,
  ): Promise<Result> => {
    const workspace = await openWorkspace(options, io, { makesCalls: false });
    try {
      return await work(workspace);
    } finally {
      await workspace.close();
    }
  };
  return {
    listRules: ({ workspace: root, session }) =>
      withWorkspace(records.optionsFor(root, session), (workspace) => {
        const rules = workspace.openSession().rules();
        return {
          workspace: root,
          session,
          scopes: scopes.map((scope) => {
            const file =
              scope === "session" || scope === "project"
                ? ruleFileOf(scope, workspace.computer, { session })
                : undefined;
            const lines = file === undefined ? undefined : locateRules(file);
            const own = rules.filter((one) => one.scope === scope);
            return {
              scope,
              file: file ?? null,
              rules: own.map(({ rule, isUntrusted }) => ({
                rule: formatRule(rule),
                permission: rule.permission,
                pattern: rule.pattern,
                action: rule.action,
                when: rule.when ?? null,
                line: lines?.get(formatRule(rule)) ?? null,
                trusted: isUntrusted !== true,
              })),
            };
          }),
        };
      }),
    checkCall: async ({ workspace: root, session, tool, arguments: args = {}, rules = [] }) => {
      const more = rules.map((line) => toRule(line, "rules"));
      return withWorkspace(records.optionsFor(root, session), async (workspace) => {
        await refuseMistakes(() => requireValid(more, workspace));
        const opened = workspace.openSession({ rules: more });
        const request = { name: tool, arguments: args as JsonValue };
        const judged = await opened.judge(request);
        return { ...judged, ...(await opened.explain(request)) };
      });
    },
    simulateRule: async (
      { rule: line, workspace, days = 30, limit = 50 },
      { signal, onProgress },
    ) => {
      const rules = line
        .split("\n")
        .filter((each) => each.trim() !== "")
        .map((each) => toRule(each, "rule"));
      if (rules.length === 0) throw new ToolError("invalid-arguments", "rule: Write a rule.");
      const options = workspace === undefined ? records.ownOptions : records.optionsFor(workspace);
      const since = Date.now() - days * dayMs;
      const places = new Map(records.kept().map((one) => [one.id, one.workspace]));
      const recorder = await openRecorder(io);
      try {
        const recent = recorder
          .sessions()
          .filter(({ lastAt }) => lastAt >= since)
          .map(({ session }) => session)
          .filter((id) => workspace === undefined || places.get(id) === workspace);
        const sessions = Map.groupBy(recent, (id) => places.get(id) ?? "");
        const index = await records.index();
        const chosen = workspace === undefined ? undefined : recent;
        const of = index
          .cost({ since, until: Date.now() + 1, sessions: chosen })
          .reduce((sum, { calls }) => sum + calls, 0);
        let toldAt = Number.NEGATIVE_INFINITY;
        const onCall = ({ calls, changes }: Simulation): void => {
          if (performance.now() < toldAt + progressMs) return;
          toldAt = performance.now();
          onProgress?.({ calls, of, changed: changes.length });
        };
        const found = { sessions, recorder, since, signal, onCall };
        const simulation = await refuseMistakes(() =>
          simulateSessions(rules, found, { options, io }),
        );
        return summarizeSimulation(rules, simulation, limit);
      } finally {
        await recorder.close();
      }
    },
  };
}

async function refuseMistakes<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) throw new ToolError("invalid-arguments", error.message);
    throw error;
  }
}

function toRule(line: string, field: string): Rule {
  try {
    return parseRule(line);
  } catch (error) {
    throw new ToolError("invalid-arguments", `${field}: ${(error as Error).message}`);
  }
}

const maxRuleBytes = 1024 * 1024;

/** Returns the line of each rule in a file, from 1. */
function locateRules(file: string): ReadonlyMap<string, number> {
  const { bytes } = readUntrustedFile(file, { within: file, maxBytes: maxRuleBytes });
  const lines = bytes?.toString("utf8").split("\n") ?? [];
  const found = new Map<string, number>();
  for (const [index, text] of lines.entries()) {
    const content = text.trim();
    if (content === "" || content.startsWith("#")) continue;
    const rule = formatRule(parseRule(content));
    if (!found.has(rule)) found.set(rule, index + 1);
  }
  return found;
}
