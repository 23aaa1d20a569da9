import { type DiagnosticContext, type Mistake, noModules } from "./mistake.ts";

/** What to use instead of a name, after the native IDs of tools that help. */
const remedies: Readonly<Record<string, readonly [tools: string, words?: string]>> = {
  require: ["", noModules],
  module: ["", noModules],
  exports: ["", "Use return to return a value."],
  __dirname: ["", "A program has no files of its own."],
  __filename: ["", "A program has no files of its own."],
  fs: ["read write"],
  fsPromises: ["read write"],
  path: ["", "Join paths as text."],
  os: ["bash"],
  child_process: ["bash"],
  exec: ["bash"],
  execSync: ["bash"],
  spawn: ["bash"],
  process: ["bash", "A program has no process or environment."],
  Deno: ["", "A program has no files, network or environment."],
  Bun: ["", "A program has no files, network or environment."],
  Buffer: ["", "A program has no Buffer. Use text, or a Uint8Array."],
  fetch: ["web_fetch", "A program has no network."],
  XMLHttpRequest: ["web_fetch", "A program has no network."],
  axios: ["web_fetch", noModules],
  window: ["", "Use globalThis."],
  document: ["", "A program has no document."],
  global: ["", "Use globalThis."],
  setInterval: [
    "",
    "Use setTimeout in a loop: await new Promise((done) => setTimeout(done, 1000)).",
  ],
  setImmediate: ["", "Use setTimeout."],
  queueMicrotask: ["", "Use Promise.resolve().then(…)."],
  structuredClone: ["", "Use JSON.parse(JSON.stringify(value))."],
  URL: ["", "Take the address apart with a regular expression."],
  URLSearchParams: ["", "Build the query with encodeURIComponent."],
  TextEncoder: ["", "Programs have text only."],
  TextDecoder: ["", "Programs have text only."],
  atob: ["", "Programs have no Base64."],
  btoa: ["", "Programs have no Base64."],
  performance: ["", "Use Date.now()."],
  crypto: ["", "Use Math.random()."],
  alert: ["", "Use print(…)."],
  text: ["", "Use print(…)."],
  log: ["", "Use print(…)."],
  puts: ["", "Use print(…)."],
  exit: ["", "Use return."],
};

/** Says what to use instead of a name that a program does not have, unless the program copes with that. */
export function describeUnknownName({
  place,
  code,
  tools,
}: DiagnosticContext): Mistake | undefined {
  const name = place;
  if (!/^[\w$]+$/u.test(name)) return undefined;
  const escaped = name.replaceAll("$", "\\$");
  // An assignment makes a variable, and `typeof` does not fail.
  const copes = new RegExp(
    `(?<![.\\w$])${escaped}\\s*=[^=>]|\\btypeof\\s+${escaped}(?![\\w$])`,
    "u",
  );
  if (copes.test(code)) return undefined;
  if (tools.find(name) !== undefined) {
    return { message: `${name} is not defined. Did you mean tools.${name}?`, property: name };
  }
  const [ids, words] = Object.hasOwn(remedies, name) ? (remedies[name] ?? [""]) : [""];
  const found = ids.split(" ").flatMap((id) => tools.propertyOf(id) ?? []);
  const use =
    found.length === 0 ? "" : ` Use ${found.map((each) => `tools.${each}`).join(" or ")}.`;
  const [property] = found;
  return {
    message: `${name} is not defined.${words === undefined ? "" : ` ${words}`}${use}`,
    ...(property !== undefined && { property }),
  };
}
