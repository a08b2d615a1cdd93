// Mirrors `api/resource/quantity.go, NewMilliQuantity`.

/**
 * Returns a number of thousandths as a canonical quantity, with binary or decimal suffixes; with
 * the suffix `m` if the quantity is not an integer.
 */
export function milliQuantity(milli: number | bigint, binary: boolean): string {
  const thousandths = BigInt(milli);
  if (thousandths % 1000n !== 0n) return `${thousandths}m`;
  const [base, suffixes] = binary
    ? [1024n, ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]] as const
    : [1000n, ["", "k", "M", "G", "T", "P", "E"]] as const;
  let [value, step] = [thousandths / 1000n, 0];
  while (value !== 0n && value % base === 0n && step < suffixes.length - 1) {
    value /= base;
    step++;
  }
  return `${value}${suffixes[step]}`;
}
