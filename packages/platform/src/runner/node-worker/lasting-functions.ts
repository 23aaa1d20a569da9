/** Functions of Node that change it in a way that can't be reverted, by module. */
const lastingFunctions: Readonly<Record<string, readonly string[]>> = {
  async_hooks: ["createHook"],
  crypto: ["setEngine", "setFips"],
  diagnostics_channel: ["subscribe", "Channel.prototype.subscribe", "Channel.prototype.bindStore"],
  dns: ["setServers", "setDefaultResultOrder", "promises.setServers"],
  "dns/promises": ["setServers", "setDefaultResultOrder"],
  inspector: ["open", "Session.prototype.connect"],
  module: ["register", "registerHooks", "setSourceMapsSupport"],
  net: ["setDefaultAutoSelectFamily"],
  process: ["setUncaughtExceptionCaptureCallback", "setSourceMapsEnabled"],
  tls: ["setDefaultCACertificates"],
  v8: ["setFlagsFromString"],
  worker_threads: ["setEnvironmentData"],
};

/** Reports calls of such functions of a module. Returns whether it has any. */
export function watchLastingFunctions(name: string, module: object, onCall: () => void): boolean {
  const paths = lastingFunctions[name] ?? [];
  for (const path of paths) watch(module, path.split("."), onCall);
  return paths.length > 0;
}

function watch(module: object, path: readonly string[], onCall: () => void): void {
  const owner = path
    .slice(0, -1)
    .reduce((value, name) => Object(Reflect.get(value, name)) as object, module);
  const last = path.at(-1) as string;
  const original: unknown = Reflect.get(owner, last);
  if (typeof original !== "function") return;
  Reflect.defineProperty(owner, last, {
    ...Reflect.getOwnPropertyDescriptor(owner, last),
    value(...args: unknown[]): unknown {
      onCall();
      return Reflect.apply(original, this, args);
    },
  });
}
