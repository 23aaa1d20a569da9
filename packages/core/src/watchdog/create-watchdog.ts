import { joinVerdicts } from "./combine-watchdogs.ts";
import { CallFacts } from "./reading/call-facts.ts";
import { destructiveDelete } from "./rules/destructive-delete.ts";
import { destructiveService } from "./rules/destructive-service.ts";
import { destructiveSystem } from "./rules/destructive-system.ts";
import { downloadAndRun } from "./rules/download-and-run.ts";
import { historyRewriting } from "./rules/history-rewriting.ts";
import { persistence } from "./rules/persistence.ts";
import { repeatedFailure } from "./rules/repeated-failure.ts";
import { secretEarlier } from "./rules/secret-earlier.ts";
import { secretInUrl } from "./rules/secret-in-url.ts";
import { secretToNet } from "./rules/secret-to-net.ts";
import { upload } from "./rules/upload.ts";
import type { Watchdog, WatchdogVerdict } from "./watchdog.ts";
import type { WatchdogRule } from "./watchdog-rule.ts";

/** How Haft's own watchdog behaves. */
export interface WatchdogOptions {
  /** Shapes to ignore. */
  readonly without?: readonly WatchdogRuleName[];
}

/** The name of a shape that Haft's own watchdog recognises. */
export type WatchdogRuleName = keyof typeof callRules | keyof typeof commandRules;

/**
 * Creates Haft's own watchdog. It recognises the shapes of exfiltration, of destruction and of
 * repeating a call that keeps failing.
 *
 * @example
 * ```ts
 * import { createWatchdog } from "@haft/core";
 *
 * // Force pushes are fine in this repository.
 * const watchdog = createWatchdog({ without: ["history-rewriting"] });
 * ```
 */
export function createWatchdog({ without = [] }: WatchdogOptions = {}): Watchdog {
  const everyCall = rulesWithout(callRules, without);
  const everyCommand = [...everyCall, ...rulesWithout(commandRules, without)];
  return (call) => {
    const facts = new CallFacts(call);
    return judge(facts, facts.runsCommands ? everyCommand : everyCall);
  };
}

/** The shapes of any call, in the order in which they are checked. */
const callRules = {
  "repeated-failure": repeatedFailure as WatchdogRule,
  "secret-in-url": secretInUrl as WatchdogRule,
  "secret-earlier": secretEarlier as WatchdogRule,
};

/** The shapes of calls that run commands, in the order in which they are checked. */
const commandRules = {
  "secret-to-net": secretToNet as WatchdogRule,
  "download-and-run": downloadAndRun as WatchdogRule,
  "destructive-delete": destructiveDelete as WatchdogRule,
  "destructive-system": destructiveSystem as WatchdogRule,
  upload: upload as WatchdogRule,
  "destructive-service": destructiveService as WatchdogRule,
  "history-rewriting": historyRewriting as WatchdogRule,
  persistence: persistence as WatchdogRule,
};

function rulesWithout(
  rules: Readonly<Record<string, WatchdogRule>>,
  without: readonly string[],
): WatchdogRule[] {
  return Object.entries(rules)
    .filter(([name]) => !without.includes(name))
    .map(([shape, rule]) => (facts) => {
      const verdict = rule(facts);
      return verdict === undefined || verdict.action === "allow" ? verdict : { ...verdict, shape };
    });
}

function judge(facts: CallFacts, rules: readonly WatchdogRule[]): WatchdogVerdict {
  let verdict: WatchdogVerdict = allowed;
  for (const rule of rules) {
    verdict = joinVerdicts(verdict, rule(facts) ?? allowed);
    if (verdict.action === "deny") return verdict;
  }
  return verdict;
}

const allowed: WatchdogVerdict = { action: "allow" };
