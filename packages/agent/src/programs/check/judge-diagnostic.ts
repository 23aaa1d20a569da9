import type { Diagnostic } from "./diagnostic.ts";
import { judgeArguments } from "./judge-arguments.ts";
import { judgeExpected, judgePassed, judgeProperty, judgeUse } from "./judge-results.ts";
import { type DiagnosticContext, fitCodes, type Mistake, noModules } from "./mistake.ts";
import { describeUnknownName } from "./unknown-names.ts";

/**
 * Decides whether a diagnostic is a mistake that a program would fail with, and says so in plain words. Types are
 * removed before a program runs, so most diagnostics are about nothing that matters then. A diagnostic that is not
 * certain to matter is dropped: a refused program costs the model a turn.
 */
export function judgeDiagnostic(
  diagnostic: Diagnostic,
  context: DiagnosticContext,
): Mistake | undefined {
  const { code } = diagnostic;
  // `declare` is removed with the types.
  if (code === 1184 && context.place === "declare") return undefined;
  if (syntaxCodes.has(code)) return { message: describeSyntax(diagnostic) };
  if (unknownNameCodes.has(code)) return describeUnknownName(context);
  if (moduleCodes.has(code)) {
    const isLoaded = /\bawait\s+import\s*\(\s*$/u.test(context.before);
    return isLoaded ? { message: noModules } : undefined;
  }
  if (propertyCodes.has(code)) return judgeProperty(diagnostic, context);
  if (useCodes.has(code)) return judgeUse(diagnostic, context);
  if (!fitCodes.has(code)) return undefined;
  return (
    judgeArguments(diagnostic, context) ??
    judgePassed(diagnostic, context) ??
    judgeExpected(diagnostic, context)
  );
}

// What the parser refuses, and names that are declared twice, assigned although constant, or used too early.
const syntaxCodes = new Set([
  1002, 1003, 1005, 1009, 1010, 1011, 1014, 1068, 1109, 1110, 1124, 1125, 1126, 1127, 1128, 1129,
  1130, 1131, 1132, 1134, 1135, 1136, 1137, 1138, 1139, 1140, 1141, 1142, 1144, 1145, 1146, 1147,
  1155, 1160, 1161, 1184, 1198, 1199, 1232, 1233, 1258, 1294, 1308, 1351, 1357, 1381, 1382, 1389,
  1434, 1435, 1436, 1440, 1442, 1471, 2448, 2451, 2588, 17004, 18026,
]);
const moduleCodes = new Set([2307, 2591, 2792]);
// Unknown names are declared as types, so that only those used as values are left.
const unknownNameCodes = new Set([2585, 2693, 18004]);
const propertyCodes = new Set([2339, 2551]);
const useCodes = new Set([2349, 2362, 2363, 2365, 2461, 2488, 2495, 2504, 2548, 2549]);

function describeSyntax({ code, message }: Diagnostic): string {
  switch (code) {
    case 1147:
    case 1184:
    case 1232:
    case 1233:
    case 1258:
      return `A program has no import and no export. ${noModules}`;
    case 1294:
      return "Types are removed before the program runs, so enum, namespace, parameter properties and <T>value can't be used. Write value as T.";
    case 1308:
      return "await is used in a function that is not async. Make that function async.";
    default:
      return message.split("\n", 1)[0] ?? message;
  }
}
