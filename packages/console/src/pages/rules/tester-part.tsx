import { useQuery } from "@tanstack/react-query";
import { useState } from "preact/hooks";
import { useAddress } from "../../address.ts";
import { api, ask } from "../../api/client.ts";
import type { CallChecked } from "../../api/machine.ts";
import { useSession } from "../../api/session.ts";
import { CallUses } from "../../ui/call-uses.tsx";
import { Command } from "../../ui/command.tsx";
import { LayerTable, nameLayer } from "../../ui/layer-table.tsx";
import { Pending, ProblemNote } from "../../ui/notes.tsx";
import { show, showLine } from "../../ui/show.ts";
import { Verdict } from "../../ui/verdict.tsx";

const commandTool = "bash";

/** A form for a call, and what every layer decides about it. Nothing is run. */
export function TesterPart({ workspace }: { workspace: string }) {
  const address = useAddress();
  const [tool, setTool] = useState(address.text("tool") || commandTool);
  const [args, setArgs] = useState(address.text("arguments"));
  const [command, setCommand] = useState(address.text("command"));
  const [rules, setRules] = useState(address.text("rules"));
  const isCommand = tool.trim() === commandTool;
  const test = (event: Event): void => {
    event.preventDefault();
    const call = isCommand ? { command, arguments: "" } : { command: "", arguments: args || "{}" };
    address.change({ tool: tool.trim(), ...call, rules });
  };
  return (
    <>
      <form class="form call-form" onSubmit={test}>
        <label>
          Tool
          <input
            value={tool}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setTool(event.currentTarget.value)}
          />
          <span class="hint">The name that agents use, such as bash, write or web_fetch.</span>
        </label>
        {isCommand ? (
          <label>
            Command
            <textarea
              rows={2}
              value={command}
              spellcheck={false}
              onInput={(event) => setCommand(event.currentTarget.value)}
            />
          </label>
        ) : (
          <label>
            Arguments as JSON
            <textarea
              rows={4}
              value={args}
              placeholder={'{"path": "docs/plan.md", "content": ""}'}
              spellcheck={false}
              onInput={(event) => setArgs(event.currentTarget.value)}
            />
          </label>
        )}
        <details open={rules !== ""}>
          <summary>With more rules</summary>
          <label>
            <span class="hint">One per line, such as: bash npm run build allow</span>
            <textarea
              rows={2}
              value={rules}
              aria-label="More rules, one per line"
              spellcheck={false}
              onInput={(event) => setRules(event.currentTarget.value)}
            />
          </label>
        </details>
        <div>
          <button type="submit" class="primary">
            Check
          </button>{" "}
          <span class="quiet">Nothing is run.</span>
        </div>
      </form>
      <Checked workspace={workspace} />
    </>
  );
}

/** What is decided about the call in the address. */
function Checked({ workspace }: { workspace: string }) {
  const { organization } = useSession();
  const { text } = useAddress();
  const tool = text("tool");
  const given = toArguments(tool, text);
  const rules = text("rules")
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const body = { workspace, session: text("session") || "default", tool, rules };
  const { data, error } = useQuery({
    queryKey: [organization, "machine", "check", JSON.stringify([body, given])],
    queryFn: () =>
      ask(
        api.POST("/v1/{organization}/machine/rules/check", {
          params: { path: { organization } },
          body: { ...body, arguments: given?.value },
        }),
      ),
    enabled: tool !== "" && given !== undefined,
    staleTime: 0,
  });
  if (tool === "") return null;
  if (given === undefined) return <ProblemNote text="The arguments are not valid JSON." />;
  if (data === undefined) return <Pending error={error} />;
  return <CheckResult checked={data} />;
}

function toArguments(
  tool: string,
  text: (name: string) => string,
): { readonly value: unknown } | undefined {
  if (tool === commandTool && text("arguments") === "")
    return { value: { command: text("command") } };
  try {
    return { value: JSON.parse(text("arguments") || "{}") };
  } catch {
    return undefined;
  }
}

function CheckResult({ checked }: { checked: CallChecked }) {
  const { action, stage, why, remedy, unchecked, layers, uses } = checked;
  return (
    <section class="checked" aria-label="Verdict" aria-live="polite">
      <h2>
        <Verdict action={action} /> {nameLayer(stage)}
      </h2>
      <p class="reason">{show(why)}</p>
      {remedy !== null && <Remedy text={remedy} />}
      {unchecked.length > 0 && (
        <p class="quiet">Known only when it runs: {showLine(unchecked.join(", "), 300)}.</p>
      )}
      <CallUses uses={uses} />
      <h3>Every layer by itself</h3>
      <LayerTable layers={layers} stage={stage} />
    </section>
  );
}

const addsRules = /^To allow it, add the rules?: (.+)$/su;

/** What to do, with commands to copy where rules would help. */
function Remedy({ text }: { text: string }) {
  const [, rules] = addsRules.exec(text) ?? [];
  if (rules === undefined) return <p class="reason">{show(text)}</p>;
  return (
    <>
      <p>To allow it:</p>
      {rules.split("; ").map((rule) => (
        <Command key={rule} text={`npx haft permissions add ${quote(rule)}`} />
      ))}
    </>
  );
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
