import assert from "node:assert/strict";
import { goRegExp, REGEXP_ENGINE } from "./go_regexp.ts";

await REGEXP_ENGINE.get();

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
