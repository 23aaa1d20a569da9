import { useMemo, useState } from "preact/hooks";
import { showLine } from "./show.ts";
import { VirtualList } from "./virtual-list.tsx";

interface Node {
  readonly path: string;
  readonly depth: number;
  readonly name: string | undefined;
  readonly value: unknown;
  /** How many values are in it; `undefined` for one that holds none. */
  readonly size: number | undefined;
}

const rowHeight = 22;
const maxAutoOpen = 100;

/** JSON as a tree that can be opened and closed. Only what is open and visible is in the page. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState(-1);
  const nodes = useMemo(() => flatten(value, toggled), [value, toggled]);
  const toggle = ({ path }: Node): void => {
    const next = new Set(toggled);
    if (!next.delete(path)) next.add(path);
    setToggled(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const node = nodes[current];
    if (event.key === "ArrowDown") setCurrent(Math.min(current + 1, nodes.length - 1));
    else if (event.key === "ArrowUp") setCurrent(Math.max(current - 1, 0));
    else if (event.key === "Enter" && node?.size !== undefined) toggle(node);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list inside has the focus
    <div
      class="json-tree"
      onKeyDown={onKeyDown}
      style={{ height: Math.min(nodes.length, 24) * rowHeight + 10 }}
    >
      <VirtualList
        label={label}
        count={nodes.length}
        rowHeight={rowHeight}
        current={current}
        row={(index) => {
          const node = nodes[index] as Node;
          const isOpen = isNodeOpen(node, toggled);
          return (
            <div
              class="json-row"
              data-current={index === current}
              style={{ paddingInlineStart: node.depth * 16 }}
            >
              {node.size === undefined ? (
                <span class="json-space" />
              ) : (
                <button
                  type="button"
                  class="plain"
                  tabIndex={-1}
                  aria-expanded={isOpen}
                  aria-label={`${isOpen ? "Close" : "Open"} ${showLine(node.name ?? "value", 60)}`}
                  onClick={() => toggle(node)}
                >
                  {isOpen ? "▾" : "▸"}
                </button>
              )}
              {node.name !== undefined && (
                <span class="json-name">{showLine(node.name, 100)}: </span>
              )}
              <JsonValue node={node} />
            </div>
          );
        }}
      />
    </div>
  );
}

function JsonValue({ node: { value, size } }: { node: Node }) {
  if (size !== undefined) {
    return <span class="quiet">{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>;
  }
  const text = typeof value === "string" ? `"${showLine(value, 2_000)}"` : String(value);
  return <span class={`json-${typeof value}`}>{text}</span>;
}

function isNodeOpen({ path, depth, size }: Node, toggled: ReadonlySet<string>): boolean {
  const isAuto = depth === 0 || (depth < 3 && (size ?? 0) <= maxAutoOpen);
  return isAuto !== toggled.has(path);
}

function flatten(value: unknown, toggled: ReadonlySet<string>): readonly Node[] {
  const nodes: Node[] = [];
  const add = (
    name: string | undefined,
    each: unknown,
    place: { path: string; depth: number },
  ): void => {
    const isHolder = typeof each === "object" && each !== null;
    const size = isHolder
      ? Array.isArray(each)
        ? each.length
        : Object.keys(each).length
      : undefined;
    const node = { ...place, name, value: each, size };
    nodes.push(node);
    if (!isHolder || !isNodeOpen(node, toggled)) return;
    const inside = { depth: place.depth + 1 };
    if (Array.isArray(each)) {
      for (let at = 0; at < each.length; at++) {
        add(String(at), each[at], { ...inside, path: `${place.path}/${at}` });
      }
    } else {
      for (const [key, member] of Object.entries(each)) {
        add(key, member, { ...inside, path: `${place.path}/${key}` });
      }
    }
  };
  add(undefined, value, { path: "", depth: 0 });
  return nodes;
}
