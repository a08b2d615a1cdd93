import { compareQuantities, nanosOf } from "@xca/apimachinery/internal/values";
import assert from "node:assert/strict";
import { Chance } from "../random_values_test.ts";
import { canonicalBase64 } from "./base64.ts";
import { canonicalMicroTime, canonicalTime } from "@xca/apimachinery/internal/values";
import { canonicalQuantity } from "./quantity.ts";

/**
 * The suffixes of quantities and their powers of ten and two, independent of the implementation.
 */
const TENS: Readonly<Record<string, number>> = {
  ...{ "": 0, n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 },
  ...{ e3: 3, "E-2": -2, "e+5": 5, e0: 0, "e-12": -12, e20: 20 },
};
const TWOS: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const NANO = 10n ** 9n;
const MOST = (2n ** 63n - 1n) * NANO;

interface RandomQuantity {
  readonly text: string;
  /** The value of the quantity in billionths, rounded away from zero. */
  readonly nanos: bigint;
}

function randomQuantity(chance: Chance): RandomQuantity {
  const digits = (most: number): string => chance.text("0123456789", most);
  const sign = chance.pick(["", "", "-", "+"]);
  const whole = digits(chance.pick([1, 3, 20]));
  const fraction = digits(chance.pick([0, 2, 12]));
  const suffix = chance.pick([...Object.keys(TENS), ...Object.keys(TWOS)]);
  const number = whole + fraction === "" ? "0" : whole;
  const text = `${sign}${number}${fraction === "" ? "" : `.${fraction}`}${suffix}`;
  const [two, ten] = [TWOS[suffix], TENS[suffix] ?? 0];
  const exponent = ten - fraction.length + 9;
  const numerator = BigInt(number + fraction) << BigInt(two ?? 0);
  const divisor = 10n ** BigInt(Math.max(0, -exponent));
  const nanos = (numerator * 10n ** BigInt(Math.max(0, exponent)) + divisor - 1n) / divisor;
  const bounded = two !== undefined && nanos > MOST ? MOST : nanos;
  return { text, nanos: sign === "-" ? -bounded : bounded };
}

Deno.test("the canonical form of a quantity has the same amount, and is its own canonical form", async () => {
  await Chance.runs(3000, (chance) => {
    const { text, nanos } = randomQuantity(chance);
    const canonical = canonicalQuantity(text);
    assert.equal(nanosOf(canonical), nanos, `${text} is ${canonical}`);
    assert.equal(canonicalQuantity(canonical), canonical, text);
  });
});

Deno.test("quantities are compared by their amounts", async () => {
  await Chance.runs(1500, (chance) => {
    const [a, b] = [randomQuantity(chance), randomQuantity(chance)];
    const expected = a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
    const [left, right] = [canonicalQuantity(a.text), canonicalQuantity(b.text)];
    assert.equal(compareQuantities(left, right), expected, `${a.text} and ${b.text}`);
  });
});

Deno.test("a quantity with a huge exponent is compared without delay", () => {
  for (const text of ["1e2147483647", "1e999999999", "1e-999999999", "-1e2147483647"]) {
    const expected = text.startsWith("-") ? -1 : text.includes("e-") ? -1 : 1;
    assert.equal(compareQuantities(text, "1Ei"), expected, text);
  }
});

Deno.test("an invalid quantity is refused with kube-apiserver's message", async () => {
  await Chance.runs(2000, (chance) => {
    const text = chance.text(["1", "0", ".", "-", "+", "e", "E", "K", "i", "m", " ", "é", "x"], 6);
    try {
      assert.equal(canonicalQuantity(canonicalQuantity(text)), canonicalQuantity(text), text);
    } catch (error) {
      assert.match((error as Error).message, /^(unable to parse|quantities must match)/, text);
    }
  });
});

const two = (number: number): string => String(number).padStart(2, "0");

Deno.test("a time of any zone is converted to the same moment in UTC", async () => {
  await Chance.runs(1500, (chance) => {
    const moment = (chance.below(9998) - 1968) * 365 * 86_400_000 + chance.below(86_400_000);
    const local = new Date(moment - moment % 1000);
    const [hours, minutes, sign] = [chance.below(24), chance.below(60), chance.pick(["+", "-"])];
    const offset = (hours * 60 + minutes) * (sign === "-" ? -1 : 1);
    const zone = offset === 0 && chance.happens(0.5) ? "Z" : `${sign}${two(hours)}:${two(minutes)}`;
    const written = local.toISOString().slice(0, 19);
    const utc = new Date(local.getTime() - offset * 60_000).toISOString();
    if (/^[-+]/.test(written) || /^[-+]/.test(utc)) return; // Years of four digits only.
    const fraction = chance.pick(["", ".5", ",123456789"]);
    assert.equal(canonicalTime(`${written}${fraction}${zone}`), `${utc.slice(0, 19)}Z`);
    const micros = canonicalMicroTime(`${written}.123456${zone}`);
    assert.equal(micros, `${utc.slice(0, 19)}.123456Z`);
    assert.equal(canonicalMicroTime(micros!), micros);
  });
});

Deno.test("a time whose year needs a sign or a fifth digit is written as Go does", () => {
  assert.equal(canonicalTime("0000-01-01T00:00:00+01:00"), "-0001-12-31T23:00:00Z");
  assert.equal(canonicalTime("9999-12-31T23:59:59-01:00"), "10000-01-01T00:59:59Z");
});

Deno.test("an invalid time is refused with kube-apiserver's message", async () => {
  await Chance.runs(2000, (chance) => {
    const bytes = new TextEncoder().encode("2024-02-29T12:34:56.123456+01:00");
    const text = new TextDecoder().decode(chance.damaged(bytes));
    for (const canonical of [canonicalTime, canonicalMicroTime]) {
      try {
        const once = canonical(text);
        if (once !== null && !/^(-|\d{5})/.test(once)) assert.equal(canonical(once), once, text);
      } catch (error) {
        assert.match((error as Error).message, /^parsing time "/, text);
      }
    }
  });
});

Deno.test("base64 with line breaks has the canonical form of base64 in one line", async () => {
  await Chance.runs(500, (chance) => {
    const text = chance.bytes(20).toBase64();
    const lines = [...text].map((letter) => letter + chance.pick(["", "", "\n", "\r\n"])).join("");
    assert.equal(canonicalBase64(lines), text, JSON.stringify(lines));
  });
});

Deno.test("invalid base64 is refused with the offset of its first invalid byte", async () => {
  assert.equal(canonicalBase64("YR=="), "YQ==");
  const refusals = { "a": 0, "ab=": 3, "YQ==x": 4, "Y=Q=": 1, "aé==": 1, "YWJj!": 4, "=": 0 };
  for (const [text, at] of Object.entries(refusals)) {
    const message = `illegal base64 data at input byte ${at}`;
    assert.throws(() => canonicalBase64(text), { message }, text);
  }
  await Chance.runs(2000, (chance) => {
    const text = chance.text("aZ9+/==\n\r-_ é", 9);
    try {
      const canonical = canonicalBase64(text);
      assert.equal(Uint8Array.fromBase64(canonical).toBase64(), canonical, JSON.stringify(text));
    } catch (error) {
      const { message } = error as Error;
      const at = Number(/^illegal base64 data at input byte (\d+)$/.exec(message)?.[1]);
      assert.ok(at <= new TextEncoder().encode(text).length, `${JSON.stringify(text)}: ${message}`);
    }
  });
});
