import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { api, ask } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { type Tool, toolsQuery, toVersionText, versionsQuery } from "../api/tools.ts";
import { JsonEditor } from "../ui/lazy.tsx";
import { Empty, PageHeader, Pending } from "../ui/notes.tsx";
import { type FieldSchema, SchemaFields } from "../ui/schema-form.tsx";
import { show, showLine } from "../ui/show.ts";
import { FirstRun } from "./inbox/first-run.tsx";
import { CopyAs } from "./try/copy-as.tsx";
import { RunResult } from "./try/run-result.tsx";
import { useRun } from "./try/use-run.ts";

/** A form for a tool's input with the same as JSON, a way to run it, and its result as it comes. */
export function Page() {
  const { organization } = useSession();
  const address = useAddress();
  const { data, error } = useQuery(toolsQuery(organization));
  const tools = data?.filter(({ deprecated }) => !deprecated) ?? [];
  const tool = tools.find(({ name }) => name === address.text("tool")) ?? tools[0];
  if (data === undefined)
    return (
      <section class="page">
        <Pending error={error} />
      </section>
    );
  return (
    <section class="page">
      <PageHeader title="Try it">
        {tools.length > 0 && (
          <label>
            <span class="hidden">Tool</span>
            <select
              value={tool?.name}
              onChange={(event) =>
                address.change({
                  tool: event.currentTarget.value,
                  input: "",
                  from: "",
                  version: "",
                })
              }
            >
              {tools.map(({ id, name }) => (
                <option key={id} value={name}>
                  {showLine(name, 80)}
                </option>
              ))}
            </select>
          </label>
        )}
      </PageHeader>
      {tool === undefined ? <FirstRun /> : <Trial key={tool.id} tool={tool} />}
    </section>
  );
}

function Trial({ tool }: { tool: Tool }) {
  const { organization, may } = useSession();
  const address = useAddress();
  const { data: versions, error } = useQuery(versionsQuery(organization, tool.id));
  const asked = address.text("version") || "latest";
  const version =
    versions?.find((each) =>
      asked === "latest" ? each.latest : toVersionText(each.version) === asked,
    ) ?? versions?.[0];
  const [input, setInput] = useState<Record<string, unknown>>(() =>
    parseInput(address.text("input")),
  );
  const [draft, setDraft] = useState<string>();
  const [mode, setMode] = useState<"regular" | "conversation-simulation">("regular");
  const run = useRun(organization, tool.id);
  const source = address.text("from");
  const { data: before } = useQuery({
    queryKey: [organization, "ended", "invocation", source],
    queryFn: () =>
      ask(
        api.GET("/v1/{organization}/tool/invocation/{invocation_id}", {
          params: { path: { organization, invocation_id: source } },
        }),
      ),
    enabled: source !== "",
    staleTime: Number.POSITIVE_INFINITY,
  });
  // The input of an invocation that somebody wants to repeat by hand.
  useEffect(() => {
    if (before !== undefined) setInput(before.inputs);
  }, [before]);
  const json = useMemo(() => JSON.stringify(input, null, 2), [input]);
  const isValid = draft === undefined;
  const start = (): void => {
    if (isValid && !run.isRunning) run.start({ version: asked, mode, input });
  };
  const latest = useRef(start);
  latest.current = start;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) latest.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (versions === undefined) return <Pending error={error} />;
  if (version === undefined) {
    return (
      <Empty
        title="This tool has no version yet"
        commands={["npx haft tool publish --path greeter --push --bump minor"]}
      />
    );
  }
  const edit = (text: string): void => {
    const value = tryParse(text);
    if (value === undefined) {
      setDraft(text);
      return;
    }
    setDraft(undefined);
    setInput(value);
  };
  return (
    <>
      <p class="description">{show(tool.description)}</p>
      <div class="try">
        <form
          class="form try-form"
          aria-label="Input"
          onSubmit={(event) => {
            event.preventDefault();
            start();
          }}
        >
          <div class="inline">
            <label>
              Version
              <select
                value={asked}
                onChange={(event) => address.change({ version: event.currentTarget.value })}
              >
                <option value="latest">latest</option>
                {versions
                  .filter((each) => !each.deprecated)
                  .map((each) => (
                    <option key={each.id}>{toVersionText(each.version)}</option>
                  ))}
              </select>
            </label>
            <label>
              Mode
              <select
                value={mode}
                onChange={(event) => setMode(event.currentTarget.value as typeof mode)}
              >
                <option value="regular">Regular</option>
                <option value="conversation-simulation">Simulation</option>
              </select>
            </label>
          </div>
          <SchemaFields
            schema={version.input_schema as FieldSchema}
            value={input}
            onChange={setInput}
          />
          <div class="actions">
            <button
              type="submit"
              class="primary"
              disabled={!isValid || run.isRunning || !may("Tool:InvokeTool")}
            >
              {run.isRunning ? "Running…" : "Run"}
            </button>
            {run.isRunning && (
              <button type="button" onClick={run.stop}>
                Stop
              </button>
            )}
            <kbd>Ctrl Enter</kbd>
          </div>
        </form>
        <div class="try-json">
          <h2>Input as JSON</h2>
          <JsonEditor label="Input as JSON" value={draft ?? json} onChange={edit} />
          {!isValid && <p class="problem">This is not a JSON object yet.</p>}
          <CopyAs
            call={{
              organization,
              toolId: tool.id,
              toolName: tool.name,
              version: asked,
              mode,
              input,
            }}
          />
        </div>
      </div>
      <RunResult run={run} toolId={tool.id} />
    </>
  );
}

function parseInput(text: string): Record<string, unknown> {
  return tryParse(text) ?? {};
}

function tryParse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
