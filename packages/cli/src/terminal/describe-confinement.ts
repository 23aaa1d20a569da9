import type { Computer, Registry } from "@haft/core";

/** What will confine the programs that a call of this tool runs; `undefined` if it runs none. */
export async function describeConfinement(
  id: string,
  { computer, registry }: { readonly computer: Computer; readonly registry: Registry },
): Promise<string | undefined> {
  const tool = registry.tools().find((one) => one.id === id);
  if ((tool?.requires.shell ?? []).length === 0) return undefined;
  await computer.prepareShell();
  if (computer.shellIsolation !== "sandbox") {
    return "It would run WITHOUT A SANDBOX, with all that you may do yourself.";
  }
  const hosts = computer.variables["allowed-hosts"] ?? [];
  const network = hosts.length === 0 ? "no network" : `no network but ${hosts.join(", ")}`;
  return `It would run in the sandbox: it can write in the workspace only; ${network}.`;
}
