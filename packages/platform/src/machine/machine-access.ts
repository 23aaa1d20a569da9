import { ToolError } from "@haft/contract";
import type { Principal } from "../auth/principal.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import type { Store } from "../store/store.ts";
import type { MachineService } from "./machine-service.ts";

/** Runs something with the service, for callers of the first organization only. */
export type WithMachine = <Result>(
  principal: Principal,
  work: (machine: MachineService) => Promise<Result>,
) => Promise<Result>;

const absent =
  "This server does not show the sessions of its machine. `haft serve` shows them on a loopback address; elsewhere it needs --machine on.";

/** Creates the access to the machine of the server, if the server has it. */
export function createMachineAccess(
  store: Pick<Store, "db">,
  machine: MachineService | undefined,
): WithMachine {
  let first: Promise<string | undefined> | undefined;
  return async (principal, work) => {
    if (machine === undefined) throw new Problem(404, absent);
    first ??= findFirst(store);
    const local = await first;
    if (local === undefined) first = undefined;
    if (local !== principal.organization) {
      throw new Problem(
        404,
        "Only the first organization of a server sees the sessions of its machine.",
      );
    }
    try {
      return await work(machine);
    } catch (error) {
      throw toProblem(error);
    }
  };
}

// The organization of the person who started the server. Its data directory is on this machine.
async function findFirst({ db }: Pick<Store, "db">): Promise<string | undefined> {
  const found = await db
    .selectFrom("organizations")
    .select("id")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}

function toProblem(error: unknown): unknown {
  if (!ToolError.isInstance(error)) return error;
  switch (error.code) {
    case "not-found":
      return new Problem(404, error.message);
    case "conflict":
      return new Problem(409, error.message);
    case "invalid-arguments":
      return new InvalidRequest([{ loc: ["body"], msg: error.message, type: "value_error" }]);
    default:
      return new Problem(403, error.message);
  }
}
