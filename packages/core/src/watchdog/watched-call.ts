import type { JsonValue, ToolKind } from "@haft/contract";
import type { CommandReading } from "../commands/command-reading.ts";
import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import type { Subject } from "../rules/subject.ts";
import type { Manifest } from "../session/manifest.ts";
import { identifyCall } from "./earlier-calls.ts";
import type { EarlierCall, WatchdogCall } from "./watchdog.ts";

/** A call as the watchdog sees it. What takes work to know is found out when it is asked for. */
export class WatchedCall implements WatchdogCall {
  readonly session: string;
  readonly callId: string;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly startedAt: number;
  readonly arguments: JsonValue;
  readonly manifest: Manifest;
  readonly roots: readonly string[];
  readonly home: string | undefined;
  readonly subjects: readonly Subject[];
  readonly #call: Call;
  readonly #context: CallContext;

  constructor(call: Call, context: CallContext) {
    this.session = context.storage.id;
    this.callId = call.id;
    this.tool = call.tool.id;
    this.kind = call.tool.kind;
    this.startedAt = call.startedAt;
    this.arguments = call.args as JsonValue;
    this.manifest = context.manifest();
    const { roots, variables } = context.computer;
    const readOnly = variables["read-only"] ?? [];
    this.roots = roots.filter((root) => !readOnly.includes(root));
    this.home = context.computer.home;
    this.subjects = call.subjects;
    this.#call = call;
    this.#context = context;
  }

  get command(): CommandReading | undefined {
    return this.subjects.find(({ type }) => type === "command")?.reading;
  }

  get secrets(): readonly string[] {
    return this.#context.secrets.namesIn(this.arguments);
  }

  get earlier(): readonly EarlierCall[] {
    return this.#context.earlier.list();
  }

  get identity(): string {
    return identifyCall(this.#call.name, this.#context.secrets.hideKnown(this.#call.sent));
  }

  isSecret(path: string): boolean {
    return this.#context.computer.isSecret(path);
  }
}
