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

/** The shapes that Haft's own watchdog knows. */
export type WatchdogRuleName =
  | "destructive-delete"
  | "destructive-service"
  | "destructive-system"
  | "download-and-run"
  | "history-rewriting"
  | "persistence"
  | "repeated-failure"
  | "secret-earlier"
  | "secret-in-url"
  | "secret-to-net"
  | "upload";

/** How Haft's own watchdog behaves. */
export interface WatchdogOptions {
  /** Shapes that it is to let pass. */
  readonly without?: readonly WatchdogRuleName[];
}

/** Makes Haft's own watchdog, which knows the shapes of exfiltration, destruction and going in circles. */
export function createWatchdog({ without = [] }: WatchdogOptions = {}): Watchdog {
  const isKept = ({ name }: WatchdogRule): boolean => !without.includes(name as WatchdogRuleName);
  const everyCall = rulesForAll.filter(isKept);
  const everyCommand = [...everyCall, ...rulesForCommands.filter(isKept)];
  return (call) => {
    const facts = new CallFacts(call);
    return judge(facts, facts.runsCommands ? everyCommand : everyCall);
  };
}

const rulesForAll: readonly WatchdogRule[] = [repeatedFailure, secretInUrl, secretEarlier];

const rulesForCommands: readonly WatchdogRule[] = [
  secretToNet,
  downloadAndRun,
  destructiveDelete,
  destructiveSystem,
  upload,
  destructiveService,
  historyRewriting,
  persistence,
];

function judge(facts: CallFacts, rules: readonly WatchdogRule[]): WatchdogVerdict {
  let asked: WatchdogVerdict | undefined;
  for (const rule of rules) {
    const verdict = rule.judge(facts);
    if (verdict?.action === "deny") return verdict;
    asked ??= verdict;
  }
  return asked ?? allowed;
}

const allowed: WatchdogVerdict = { action: "allow" };
