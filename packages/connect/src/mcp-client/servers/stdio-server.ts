import type { StdioSettings } from "../store/mcp-server-entry.ts";
import { type ProgramStarter, ProgramTransport } from "../transport/program-transport.ts";
import { toServerProgram } from "./server-program.ts";
import type { ServerType } from "./server-type.ts";

/** Servers that are programs on this machine. */
export const stdioServer: ServerType<StdioSettings> = {
  remembersEra: true,
  openTransport: async (name, settings, context) => {
    const { computer, store, environment, readOnly, onIsolation, onNote, onErrors } = context;
    const program = toServerProgram(settings, {
      roots: computer.roots,
      personHome: computer.home,
      home: store.homeOf(name),
      storeDirectory: store.directory,
      environment: environment ?? process.env,
      readOnly,
    });
    const starter: ProgramStarter = {
      startProgram: async (start) => {
        const started = await computer.startProgram({
          ...start,
          onErrors: (bytes) => {
            onErrors?.(bytes);
            return start.onErrors?.(bytes);
          },
        });
        onIsolation?.(started.isolation, started.warning);
        void started.ended.then(({ notes }) => {
          for (const note of notes) onNote?.(note);
        });
        return started;
      },
    };
    return new ProgramTransport(starter, program);
  },
  expectIsolation: ({ sandbox }, computer) =>
    sandbox === "off" ? "none" : computer.shellIsolation,
  toLogin: () => undefined,
  describe: ({ command, args }) =>
    [command, ...args]
      .map((word) => (/[\s"']/u.test(word) ? JSON.stringify(word) : word))
      .join(" "),
  describeRights: ({ reads, writes, hosts, env, passEnv, sandbox }) => {
    const variables = [...Object.keys(env), ...passEnv];
    return [
      ...(sandbox === "off" ? ["It runs WITHOUT A SANDBOX, with all of your permissions."] : []),
      ...(reads.length === 0 ? [] : [`It reads ${reads.join(", ")}.`]),
      ...(writes === undefined
        ? []
        : [writes.length === 0 ? "It writes nowhere." : `It writes ${writes.join(", ")}.`]),
      ...(hosts.length === 0 ? [] : [`It reaches ${hosts.join(", ")}.`]),
      ...(variables.length === 0 ? [] : [`It is given ${variables.join(", ")}.`]),
    ];
  },
  toJson: ({ type, command, args, env, passEnv, reads, writes, hosts, sandbox }) => ({
    type,
    command,
    args,
    env: [...Object.keys(env), ...passEnv],
    reads,
    ...(writes !== undefined && { writes }),
    hosts,
    ...(sandbox !== undefined && { sandbox }),
  }),
};
