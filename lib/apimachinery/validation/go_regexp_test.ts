import assert from "node:assert/strict";
import { RE2JS } from "re2js";
import { seededRandom } from "../base/time/random.ts";
import { goRegExp } from "./go_regexp.ts";

const matches: readonly (readonly [string, string, boolean])[] = [
  ["^[a-z]([-a-z0-9]*[a-z0-9])?$", "a-b", true],
  ["^a.c$", "a\u2028c", true],
  ["^a.c$", "a\nc", false],
  ["(?s)^a.c$", "a\nc", true],
  ["(?i)^abc$", "ABC", true],
  ["a(?i:b)c", "aBc", true],
  ["a(?i:b)c", "aBC", false],
  ["^\\d+\\s\\w$", "12 x", true],
  ["^[[:alpha:]_]+$", "a_B", true],
  ["^[[:^alpha:]]+$", "aB", false],
  ["^[^\\D5]+$", "1234", true],
  ["^[^\\D5]+$", "5", false],
  ["^\\pL+$", "äö", true],
  ["^\\p{Greek}+$", "αβ", true],
  ["^\\P{Lu}+$", "ab", true],
  ["^\\Qa.b\\E$", "a.b", true],
  ["^\\x{1F600}$", "\u{1F600}", true],
  ["^{a}$", "{a}", true],
  ["^[]a]+$", "]a", true],
  ["^a\\-b\\/c$", "a-b/c", true],
  ["(?m)^b$", "a\nb\nc", true],
  ["\\Aab\\z", "ab", true],
  ["^(?P<x>a)|b$", "b", true],
];

for (const [pattern, text, expected] of matches) {
  Deno.test(`${pattern} ${expected ? "finds" : "does not find"} ${JSON.stringify(text)}`, () => {
    assert.equal(goRegExp(pattern).test(text), expected);
  });
}

const refused: readonly (readonly [string, string])[] = [
  ["(", "missing closing ): `(`"],
  ["a)", "unexpected ): `a)`"],
  ["[a", "missing closing ]: `[a`"],
  ["*a", "missing argument to repetition operator: `*`"],
  ["a**", "invalid nested repetition operator: `**`"],
  ["a{1001}", "invalid repeat count: `{1001}`"],
  ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
  ["\\1", "invalid escape sequence: `\\1`"],
  ["[z-a]", "invalid character class range: `z-a`"],
  ["a\\", "trailing backslash at end of expression: ``"],
  ["\\p{Nonsense}", "invalid character class range: `\\p{Nonsense}`"],
];

for (const [pattern, problem] of refused) {
  Deno.test(`${pattern} is refused`, () => {
    assert.throws(() => goRegExp(pattern), { message: `error parsing regexp: ${problem}` });
  });
}

Deno.test("a regular expression of many parts is matched within the limit of steps", () => {
  const { test } = goRegExp(".*".repeat(2000));
  assert(test("x".repeat(50_000)));
});

Deno.test("a text that is too long for a large regular expression is refused", () => {
  const { test } = goRegExp("(?:a?b?){900}$");
  assert.throws(() => test("ab".repeat(50_000)), { code: 501 });
});

Deno.test("goRegExp() matches what RE2JS matches, for random expressions and texts", () => {
  const seed = 20261121;
  const random = seededRandom(seed);
  const pick = (from: readonly string[]): string => from[Math.floor(random.next() * from.length)]!;
  const parts = [
    "a",
    "b",
    ".",
    "[ab]",
    "[^a]",
    "ä",
    "\\b",
    "^",
    "$",
    "\\pL",
    "(?i:A)",
    "\u{1f600}",
  ];
  const repeats = ["", "", "*", "+", "?", "{2}", "{1,3}", "*?"];
  const letters = ["a", "b", "A", "ä", "\n", " ", "\u{1f600}", "\ud83d"];
  for (let round = 0; round < 2000; round++) {
    let pattern = "";
    for (let part = 0; part < 4; part++) {
      const made = pick(parts) + pick(repeats);
      pattern += random.next() < 0.3 ? `(${made}|${pick(parts)})${pick(repeats)}` : made;
    }
    let text = "";
    for (let at = random.next() * 8; at > 0; at--) text += pick(letters);
    const expected = RE2JS.compile(pattern).matcher(text).find();
    assert.equal(goRegExp(pattern).test(text), expected, `seed ${seed}: ${pattern} in ${text}`);
  }
});
