/**
 * Runs a task for every item, a few at a time, and gives the results in the order of the items.
 * @template Item, Result
 * @param {Item[]} items
 * @param {number} limit
 * @param {(item: Item) => Promise<Result>} task
 * @returns {Promise<Result[]>}
 */
export async function inParallel(items, limit, task) {
  /** @type {Result[]} */
  const results = new Array(items.length);
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: limit }, work));
  return results;
}
