import { useState } from "preact/hooks";
import { Command } from "../../ui/command.tsx";

/** A call of a tool, to be written down for another program. */
export interface CopiedCall {
  readonly organization: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly version: string;
  readonly mode: string;
  readonly input: Record<string, unknown>;
}

const forms = {
  curl: toCurl,
  TypeScript: toTypeScript,
  Python: toPython,
  CLI: toCli,
  Agent: toAgent,
} as const;

/** The same call for other programs. */
export function CopyAs({ call }: { call: CopiedCall }) {
  const [form, setForm] = useState<keyof typeof forms>("curl");
  return (
    <details class="copy-as">
      <summary>Copy as</summary>
      <fieldset class="segments" aria-label="Copy as">
        {(Object.keys(forms) as (keyof typeof forms)[]).map((each) => (
          <button
            type="button"
            key={each}
            aria-pressed={each === form}
            onClick={() => setForm(each)}
          >
            {each}
          </button>
        ))}
      </fieldset>
      <Command text={forms[form](call)} />
    </details>
  );
}

function toUrl({ organization, toolId, version }: CopiedCall): string {
  return `${location.origin}/v1/${organization}/tool/${toolId}/version/${encodeURIComponent(version)}/invoke`;
}

function toBody({ input, mode }: CopiedCall): string {
  return JSON.stringify({ inputs: [{ input_parameters: input, invocation_mode: mode }] });
}

// Within single quotes a shell takes everything but a single quote as it is.
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function toCurl(call: CopiedCall): string {
  return [
    `curl ${quote(toUrl(call))} \\`,
    `  -H "Authorization: Bearer $HAFT_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quote(toBody(call))}`,
  ].join("\n");
}

function toTypeScript(call: CopiedCall): string {
  return `const response = await fetch(${JSON.stringify(toUrl(call))}, {
  method: "POST",
  headers: {
    authorization: \`Bearer \${process.env.HAFT_API_KEY}\`,
    "content-type": "application/json",
  },
  body: JSON.stringify(${toBody(call)}),
});
const { invocation_results } = await response.json();`;
}

function toPython(call: CopiedCall): string {
  return `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(toUrl(call))},
    data=json.dumps(json.loads(${JSON.stringify(toBody(call))})).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["HAFT_API_KEY"],
        "Content-Type": "application/json",
    },
)
results = json.load(urllib.request.urlopen(request))["invocation_results"]`;
}

function toCli({ toolName, version, input }: CopiedCall): string {
  const chosen = version === "latest" ? "" : ` --version ${quote(version)}`;
  return `npx haft tool invoke ${toolName}${chosen} ${quote(JSON.stringify(input))}`;
}

function toAgent({ organization }: CopiedCall): string {
  const server = {
    type: "http",
    url: `${location.origin}/v1/${organization}/mcp`,
    headers: { Authorization: `Bearer $\{HAFT_API_KEY}` },
  };
  return JSON.stringify({ mcpServers: { haft: server } }, null, 2);
}
