import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import type { StdioSettings } from "../store/mcp-server-entry.ts";
import { type ProgramContext, toServerProgram } from "./server-program.ts";

const settings: StdioSettings = {
  type: "stdio",
  command: "node",
  args: [],
  env: {},
  passEnv: [],
  reads: [],
  hosts: [],
};

function usePlace(...files: readonly string[]): ProgramContext & { readonly base: string } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-place-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const file of ["work/a", "home/b", "state/mcp/c", ...files]) {
    mkdirSync(dirname(join(base, file)), { recursive: true });
    writeFileSync(join(base, file), "");
  }
  return {
    base,
    roots: [join(base, "work")],
    personHome: join(base, "home"),
    home: join(base, "state/mcp/homes/s"),
    storeDirectory: join(base, "state/mcp"),
    environment: { TOKEN: "secret", OTHER: "kept" },
  };
}

describe("toServerProgram", () => {
  it("gives a server the workspace, its own home and no host", () => {
    const place = usePlace();
    expect(toServerProgram(settings, place)).toEqual({
      argv: ["node"],
      environment: { HOME: place.home },
      reads: [],
      writes: [place.roots[0], place.home],
      hosts: [],
    });
  });

  it("makes Node 20 use the proxy of the sandbox for the hosts that it may reach", async () => {
    const web = createServer((_, response) => response.end("reached"));
    const asked: string[] = [];
    const proxy = createServer().on("connect", ({ url = "" }, socket) => {
      asked.push(url);
      const tunnel = connect((web.address() as AddressInfo).port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(tunnel).pipe(socket);
      });
    });
    for (const server of [web, proxy]) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
    }
    const env = { NODE_OPTIONS: "--no-warnings" };
    const program = toServerProgram({ ...settings, env, hosts: ["a.test"] }, usePlace());
    const { NODE_OPTIONS = "" } = program.environment ?? {};
    expect(NODE_OPTIONS).toMatch(/^--require ".*use-proxy\.cjs" --no-warnings$/u);
    // Without NODE_USE_ENV_PROXY, this Node takes the proxy as little as Node 20 does.
    const HTTPS_PROXY = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const script = `
      fetch("http://a.test/").then((response) => response.text()).then(console.log);
      require("node:http").get("http://b.test/", (response) => response.pipe(process.stdout));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], {
      env: { NODE_OPTIONS, HTTPS_PROXY },
    });
    expect(stdout.match(/reached/gu)).toHaveLength(2);
    expect(asked.sort()).toEqual(["a.test:80", "b.test:80"]);
    const off = { ...settings, hosts: ["a.test"], sandbox: "off" as const };
    expect(toServerProgram(off, usePlace()).environment).not.toHaveProperty("NODE_OPTIONS");
  });

  it("lets it read what its command line names", () => {
    const place = usePlace(
      "lib/pkg/package.json",
      "lib/pkg/dist/server.js",
      "data/x.db",
      "notes/n",
    );
    const { base } = place;
    symlinkSync(join(base, "notes"), join(base, "link"));
    const args = [
      join(base, "lib/pkg/dist/server.js"),
      `--data=${join(base, "data/x.db")}`,
      join(base, "link"),
      join(base, "nowhere"),
      "plain",
    ];
    expect(toServerProgram({ ...settings, args }, place).reads).toEqual([
      join(base, "lib/pkg"),
      join(base, "data"),
      join(base, "notes"),
    ]);
  });

  it("lets it read neither the person's home, nor secrets, nor where servers are kept", () => {
    const place = usePlace("home/package.json", "home/run.js", "keys/id_rsa");
    const { base } = place;
    const named = ["home", "", "state", "state/mcp/servers.json", "keys/id_rsa"];
    writeFileSync(join(base, "state/mcp/servers.json"), "");
    const args = ["/", ...named.map((name) => join(base, name))];
    expect(toServerProgram({ ...settings, args }, place).reads).toEqual([]);
  });

  it("lets a script be read alone where what is beside it is everything", () => {
    const place = usePlace("home/package.json", "home/run.js");
    const script = join(place.base, "home/run.js");
    expect(toServerProgram({ ...settings, args: [script] }, place).reads).toEqual([script]);
  });

  it("lets a script read the packages that are installed around it, and only itself of the rest", () => {
    const place = usePlace("app/node_modules/pkg/package.json", "app/node_modules/pkg/run.js");
    const script = join(place.base, "app/node_modules/pkg/run.js");
    expect(toServerProgram({ ...settings, args: [script] }, place).reads).toEqual([
      dirname(script),
      join(place.base, "app/node_modules"),
    ]);
  });

  it("writes where it was told to, or nowhere but at home", () => {
    const place = usePlace();
    const written = (more: Partial<StdioSettings>, readOnly = false) =>
      toServerProgram({ ...settings, ...more }, { ...place, readOnly });
    expect(written({ writes: ["/data"] }).writes).toEqual(["/data", place.home]);
    expect(written({ writes: [] }).writes).toEqual([place.home]);
    expect(written({}, true)).toMatchObject({ writes: [place.home], sandbox: "required" });
  });

  it("hands over variables by name, and says which one is missing", () => {
    const place = usePlace();
    const env = { KEY: `a-\${TOKEN}`, PLAIN: "x", ELSE: `\${NONE:-y}` };
    expect(toServerProgram({ ...settings, env, passEnv: ["OTHER", "GONE"] }, place)).toMatchObject({
      environment: { KEY: "a-secret", PLAIN: "x", ELSE: "y", OTHER: "kept" },
    });
    const missing = { ...settings, env: { KEY: `\${NONE}` } };
    expect(() => toServerProgram(missing, place)).toThrow(
      "the environment variable NONE, which is not set",
    );
  });
});
