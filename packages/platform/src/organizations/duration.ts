const second = 1_000;
const day = 86_400 * second;

// As long as whoever reads a year or a month into a length of time takes them to be.
const units = [365 * day, 30 * day, 7 * day, day, 3_600 * second, 60 * second, second];

const number = "(\\d+(?:[.,]\\d+)?)";
const form = new RegExp(
  `^P(?=\\d|T\\d)(?:${number}Y)?(?:${number}M)?(?:${number}W)?(?:${number}D)?` +
    `(?:T(?=\\d)(?:${number}H)?(?:${number}M)?(?:${number}S)?)?$`,
);

/** Reads an ISO 8601 duration such as `P30D` or `PT1H` as milliseconds; `undefined` if it is none. */
export function fromDuration(text: string): number | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  return units.reduce((sum, unit, index) => {
    const amount = found[index + 1];
    return amount === undefined ? sum : sum + Number(amount.replace(",", ".")) * unit;
  }, 0);
}
