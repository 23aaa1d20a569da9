/** How many tasks are how far, such as `1 completed, 2 pending`. */
export function countTodos(data: unknown): string {
  const { summary } = data as { readonly summary: Readonly<Record<string, number>> };
  const counts = Object.entries(summary)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`);
  return counts.length === 0 ? "nothing is on it" : counts.reverse().join(", ");
}
