/** The capabilities that a server declared at start or registered later. */
export interface ServerOffers {
  /** Stores the capabilities of the initialize response. */
  declare(capabilities: Readonly<Record<string, unknown>>): void;
  has(method: string): boolean;
  /** Returns the options for a method. */
  optionsOf(method: string): Readonly<Record<string, unknown>>;
  register(registrations: readonly Registration[]): void;
  unregister(registrations: readonly Pick<Registration, "id">[]): void;
  /** Calls the listener after every registration, until the returned function is called. */
  follow(listener: () => void): () => void;
}

/** A capability that a server registers. */
export interface Registration {
  readonly id: string;
  readonly method: string;
  readonly registerOptions?: unknown;
}

const providers: Readonly<Record<string, string>> = {
  "textDocument/definition": "definitionProvider",
  "textDocument/typeDefinition": "typeDefinitionProvider",
  "textDocument/implementation": "implementationProvider",
  "textDocument/references": "referencesProvider",
  "textDocument/documentSymbol": "documentSymbolProvider",
  "textDocument/hover": "hoverProvider",
  "textDocument/diagnostic": "diagnosticProvider",
  "workspace/symbol": "workspaceSymbolProvider",
  "workspace/executeCommand": "executeCommandProvider",
};

/** Creates an empty set of capabilities. */
export function createServerOffers(): ServerOffers {
  const registered = new Map<string, Registration>();
  const listeners = new Set<() => void>();
  let declared: Readonly<Record<string, unknown>> = {};
  const find = (method: string): unknown =>
    [...registered.values()].find((registration) => registration.method === method)
      ?.registerOptions ?? declared[providers[method] ?? ""];
  const isRegistered = (method: string): boolean =>
    [...registered.values()].some((registration) => registration.method === method);
  return {
    declare: (capabilities) => {
      declared = capabilities;
    },
    has: (method) => isRegistered(method) || Boolean(find(method)),
    optionsOf: (method) => {
      const options = find(method);
      return typeof options === "object" && options !== null ? { ...options } : {};
    },
    register: (registrations) => {
      for (const registration of registrations) registered.set(registration.id, registration);
      for (const listener of [...listeners]) listener();
    },
    unregister: (registrations) => {
      for (const { id } of registrations) registered.delete(id);
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
