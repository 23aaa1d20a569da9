import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, say } from "./support/model-server.ts";
import { openPlace } from "./support/open-place.ts";

const compiler = join(import.meta.dirname, "../../node_modules/typescript");
const files = {
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] } }',
  "package.json": "{}",
  "shapes.ts": "export function area(side: number): number {\n  return side ** 2;\n}\n",
  "main.ts": 'import { area } from "./shapes";\nexport const total = area(2);\n',
};

describe("language servers", { timeout: 60_000 }, () => {
  it("answer the model, and tell it what is wrong with its edit", async () => {
    const { agent, model, workspace } = await openPlace(
      [
        call("lsp", { operation: "definition", path: "main.ts", symbol: "area" }),
        call("edit", { path: "main.ts", old_string: "area(2)", new_string: 'area("2")' }),
        say("I see."),
      ],
      files,
    );
    mkdirSync(join(workspace, "node_modules/.bin"), { recursive: true });
    symlinkSync(compiler, join(workspace, "node_modules/typescript"));
    symlinkSync(join(compiler, "bin/tsc"), join(workspace, "node_modules/.bin/tsc"));
    const { code, stderr } = await agent([
      "--yes",
      "--sandbox",
      "off",
      "--diagnostics",
      "break it",
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(model.requests[1]?.lastText).toContain("shapes.ts");
    expect(model.requests[2]?.lastText).toContain("not assignable to parameter of type 'number'");
  });

  it("are not started where a rule denies programs (003:206)", async () => {
    const { agent, model } = await openPlace(
      [
        call("lsp", { operation: "definition", path: "main.ts", symbol: "area" }),
        call("edit", { path: "main.ts", old_string: "area(2)", new_string: 'area("2")' }),
        say("I see."),
      ],
      files,
    );
    const options = ["--yes", "--sandbox", "off", "--diagnostics", "--rule", "shell.run * deny"];
    expect(await agent([...options, "break it"])).toMatchObject({ code: 0 });
    expect(model.requests[1]?.lastText).toContain(
      'lsp was refused by the session rule "shell.run * deny"',
    );
    expect(model.requests[2]?.lastText).not.toContain("Diagnostics");
  });
});
