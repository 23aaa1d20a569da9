import { afterEach, describe, expect, it, vi } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { type OpenShellOptions, openShell } from "../test-support/open-shell.ts";
import { pickEnvironment } from "./command-environment.ts";
import type { SandboxMode } from "./confine-run.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

// None of them follows a pattern that a list of forbidden words could know.
const withheld = [
  ...[
    "GH_PAT",
    "STRIPE_SK",
    "SLACK_WEBHOOK",
    "AWS_SESSION",
    "DATABASE_URL",
    "KUBECONFIG",
    "PGUSER",
  ],
  ...["SENTRY", "LC_DEPLOY", "XDG_VAULT", "GITHUB_ENV", "CI_REPOSITORY_URL", "npm_config_registry"],
  ...["BUNDLE_GEMS__EXAMPLE__COM", "COMPOSER_LOGIN", "CARGO_REGISTRIES_ACME", "PIP_INDEX_URL"],
  ...["JAVA_HOME_2", "MY_PATH", "FNM_NODE_DIST_MIRROR", "NODE_ENV_FILE", "GOAUTH", "MAVEN_OPTS"],
  ...["UNHEARD_OF", "lang", "path_to_vault"],
];

const loaders = [
  ...["LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "NODE_OPTIONS", "NODE_PATH"],
  ...["BASH_ENV", "ENV", "PROMPT_COMMAND", "PS4", "SHELLOPTS", "BASH_FUNC_ls%%", "PERL5OPT"],
  ...["PERL5LIB", "RUBYOPT", "RUBYLIB", "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "CLASSPATH"],
  ...["PYTHONINSPECT", "PYTHONWARNINGS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"],
  ...["GIT_SSH_COMMAND", "GIT_DIR", "GIT_CONFIG_COUNT", "HAFT_HOME", "RUSTC_WRAPPER", "BROWSER"],
];

describe("pickEnvironment", () => {
  it.each([...withheld, ...loaders])("leaves out %s", (name) => {
    expect(pickEnvironment({ [name]: "value" })).toEqual({});
  });

  it("keeps what programs need, as it is", () => {
    const kept = {
      ...{ PATH: "/bin", HOME: "/h", LANG: "C", LC_TIME: "C", TZ: "UTC", NO_COLOR: "" },
      ...{ JAVA_HOME: "/java", GOPATH: "/go", NVM_DIR: "/nvm", VIRTUAL_ENV: "/venv", CI: "true" },
      ...{ HTTPS_PROXY: "http://proxy:3128", npm_config_cache: "/n", NPM_CONFIG_PREFIX: "/p" },
      ...{ CFLAGS: "-O2 -march=native -DNDEBUG", MAKEFLAGS: "-j8", RUSTFLAGS: "-C opt-level=3" },
      ...{ Path: "C:\\bin", SystemRoot: "C:\\Windows" },
    };
    expect(pickEnvironment({ ...kept, LANGUAGE: undefined })).toEqual(kept);
  });

  it.each([
    ["HTTPS_PROXY", "https://me:secret@proxy:3128"],
    ["HTTPS_PROXY", "https://a-token@proxy:3128"],
    ["CFLAGS", "-O2 -DAPI_KEY=abc"],
    ["GOFLAGS", "-ldflags=-X=main.githubToken=abc"],
    ["MAKEFLAGS", " -- DEPLOY=abc"],
  ])("leaves out %s=%s, whose value can be a secret", (name, value) => {
    expect(pickEnvironment({ [name]: value })).toEqual({});
    expect(pickEnvironment({ [name]: value }, [name])).toEqual({ [name]: value });
  });

  it("keeps what is passed by name, and nothing that begins like it", () => {
    const environment = { GH_PAT: "a", GH_PAT_2: "b", LD_PRELOAD: "c" };
    expect(pickEnvironment(environment, ["GH_PAT", "LD_PRELOAD", "NONE"])).toEqual({
      GH_PAT: "a",
      LD_PRELOAD: "c",
    });
  });
});

const modes = (["off", "required"] as const).map((mode) => [mode] as const);

describe.each(modes)("a command with --sandbox=%s", (sandbox: SandboxMode) => {
  const open = (more: OpenShellOptions = {}): ReturnType<typeof openShell>["shell"] =>
    openShell({ sandbox, ...more }).shell;
  const without = sandbox === "required" && isMissing("bwrap");

  it.skipIf(without)("and a job get the allowed variables and the passed ones", async () => {
    for (const name of [...withheld, "PASSED_PAT"]) vi.stubEnv(name, "must-not-arrive");
    vi.stubEnv("PASSED_PAT", "must-arrive");
    vi.stubEnv("LANG", "C.UTF-8");
    vi.stubEnv("JAVA_HOME", "/usr");
    const shell = open({ passVariables: ["PASSED_PAT"] });
    const { output } = await shell.execute({ command: "env" });
    const { id } = await shell.jobs.start({ command: "env; sleep 300" });
    const job = await vi.waitFor(async () => {
      const text = (await shell.jobs.output(id)).text;
      expect(text).toContain("PATH=");
      return text;
    });
    await shell.jobs.stop(id);
    for (const text of [output.head + output.tail, job]) {
      expect(text).not.toContain("must-not-arrive");
      const lines = text.split("\n");
      expect(lines).toEqual(
        expect.arrayContaining(["LANG=C.UTF-8", "JAVA_HOME=/usr", "PASSED_PAT=must-arrive"]),
      );
      expect(text).toMatch(/^PATH=.*\/bin/mu);
    }
  });

  it.skipIf(without)("learns how to get a variable that it names, if it fails", async () => {
    for (const name of ["GH_PAT", "STRIPE_SK", "PLAIN"]) vi.stubEnv(name, "x");
    const shell = open();
    const notesOf = async (command: string): Promise<readonly string[]> =>
      (await shell.execute({ command })).notes;
    expect(await notesOf(`test -n "$GH_PAT" || test -n "\${PLAIN:-}"`)).toEqual([
      expect.stringMatching(/GH_PAT, PLAIN\. .*--pass-env GH_PAT,PLAIN\.$/u),
    ]);
    expect(await notesOf("printenv STRIPE_SK")).toEqual([
      expect.stringContaining("--pass-env STRIPE_SK"),
    ]);
    for (const quiet of [
      "echo $GH_PAT",
      "GH_PAT=; test $GH_PAT",
      "PLAIN; false",
      "test $SHLVL = x",
    ]) {
      expect(await notesOf(quiet)).toEqual([]);
    }
  });
});
