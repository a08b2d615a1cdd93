// Mirrors `util/intstr/intstr.go, GetScaledValueFromIntOrPercent`.

/**
 * Returns a number unchanged, or a percentage (`25%`) of a total, rounded up or down.
 *
 * @throws {TypeError} If the text is not a percentage, which the API server rejects too.
 */
export function scaledValue(value: number | string, total: number, round: "up" | "down"): number {
  if (typeof value === "number") return value;
  const percent = /^(-?\d+)%$/.exec(value)?.[1];
  if (percent === undefined) {
    throw new TypeError(`Cannot use ${JSON.stringify(value)}: it is no number and no percentage`);
  }
  const scaled = Number(percent) * total / 100;
  return round === "up" ? Math.ceil(scaled) : Math.floor(scaled);
}
