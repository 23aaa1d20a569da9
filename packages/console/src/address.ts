import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "preact/hooks";

/** The values of the address: what follows `?`. */
export interface Address {
  /** One value; empty if there is none. */
  text(name: string): string;
  /** All values of a name. */
  list(name: string): readonly string[];
  /** Changes values. An empty text, an empty list and `undefined` remove one. */
  change(values: Readonly<Record<string, string | readonly string[] | undefined>>): void;
}

/** Reads and changes the values of the address, where filters are kept. */
export function useAddress(): Address {
  const search = useSearch({ strict: false }) as Record<string, string | string[] | undefined>;
  const navigate = useNavigate();
  const change = useCallback<Address["change"]>(
    (values) =>
      void navigate({
        to: ".",
        search: ((before: Record<string, unknown>) => ({ ...before, ...values })) as never,
        replace: true,
      } as never),
    [navigate],
  );
  return {
    text: (name) => [search[name] ?? ""].flat()[0] ?? "",
    list: (name) => [search[name] ?? []].flat(),
    change,
  };
}

/** The variable part of a page's path. */
export function usePathPart(name: string): string {
  return (useParams({ strict: false }) as Record<string, string>)[name] ?? "";
}
