import type { CallFacts } from "../reading/call-facts.ts";
import { toCommandLine } from "../reading/command-line.ts";
import { findSecretSources, isSecretWord } from "../reading/secret-sources.ts";
import type { EarlierCall, WatchdogCall } from "../watchdog.ts";
import { ask, type WatchdogRule } from "../watchdog-rule.ts";

/**
 * A call that reaches the net after the session may have read a secret: what was refused did not, and
 * in the sandbox it can't be read.
 */
export const secretEarlier: WatchdogRule = (facts) => {
  if (!reachesNet(facts)) return undefined;
  const { call } = facts;
  const [file] = call.earlier.flatMap((earlier) => secretIn(earlier, call) ?? []);
  if (file === undefined) return undefined;
  return ask(
    `this session may have read ${file}, which is of a kind that holds secrets, before it reaches the net`,
  );
};

function reachesNet({ call, lines }: CallFacts): boolean {
  if (call.kind === "fetch") return true;
  return lines.some((line) => line.senders.some(({ isLocal }) => !isLocal));
}

const known = new WeakMap<EarlierCall, { readonly file: string | undefined }>();

function secretIn(earlier: EarlierCall, call: WatchdogCall): string | undefined {
  let found = known.get(earlier);
  if (found === undefined) {
    found = { file: findSecret(earlier, call) };
    known.set(earlier, found);
  }
  return found.file;
}

function findSecret(earlier: EarlierCall, call: WatchdogCall): string | undefined {
  if (earlier.failed || earlier.isolation === "sandbox") return undefined;
  if (earlier.subjects.length === 0) return findInArguments(earlier, call);
  for (const subject of earlier.subjects) {
    if (subject.type === "file" && subject.mode === "read" && call.isSecret(subject.key)) {
      return subject.key;
    }
    const line = toCommandLine(subject);
    const file = line && findSecretSources(line, call).files[0];
    if (file !== undefined) return file;
  }
  return undefined;
}

// All that is known of a call of another process.
function findInArguments(
  { arguments: args, kind }: EarlierCall,
  call: WatchdogCall,
): string | undefined {
  if (typeof args !== "object" || args === null || kind === "edit") return undefined;
  return Object.entries(args)
    .filter(([name, value]) => namesFiles.test(name) && typeof value === "string")
    .flatMap(([, value]) => String(value).split(/[\s"'`;|&<>()$={},@]+/u))
    .find((word) => word !== "" && isSecretWord(word, call.roots[0], call));
}

const namesFiles = /^(?:file_?)?path$|^file$|^command$|^cmd$/iu;
