/**
 * Takes an item out of a list. Lists and not sets hold what is under way: a set that one item after
 * the other enters and leaves is rebuilt all the time, which costs more than the search.
 */
export function removeFrom<Item>(list: Item[], item: Item): boolean {
  if (list.at(-1) === item) {
    list.pop();
    return true;
  }
  const index = list.indexOf(item);
  if (index === -1) return false;
  list.splice(index, 1);
  return true;
}
