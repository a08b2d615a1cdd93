/** Answers in YAML, which kube-apiserver writes by Go's YAML library: quotes, folds, order of keys. */
import assert from "node:assert/strict";
import { withKind } from "../custom_resources/custom_kind.ts";
import { conformanceSuite } from "../suite.ts";
import type { Answer, Target } from "../target.ts";

const conformance = conformanceSuite(import.meta.url);

const WORDS = "word ".repeat(40).trim();

/** Texts that YAML 1.1 could read as something else, in several lines, or longer than a line. */
const TEXTS: readonly string[] = [
  ...["", " ", "\n", "\n\n", "a\n", "a\n\n", "a\nb", " a\nb", "a\n b", "a \nb", "a\n\tb", "a\r\nb"],
  ...["yes", "y", "N", "On", "null", "~", "True", "1", "-1", "+1", "1.5", "1e3", "1e", "1.", ".5"],
  ...["0x1f", "0xg", "010", "09", "0o17", "0b11", "1_000", "1:30", "190:20:30.15", ".inf", ".NaN"],
  ...["9223372036854775808", "99999999999999999999", "1e999", "2001-01-01", "2001-1-32"],
  ...["2001-01-01T10:00:00Z", "2001-12-14 21:59:43.10", "2001-01-01t10:00", "0001-02-29"],
  ...["-", "- a", "-a", "? a", "?a", ":", ":a", "a:", "a: b", "#a", "a #b", "a#b", "a \t#", "*a"],
  ...[
    "&a",
    "!a",
    "%a",
    "@a",
    "`a",
    "{a",
    "[a",
    "a,b",
    "<<",
    "=",
    "...",
    "---",
    "--- a",
    "|a",
    ">a",
  ],
  ...[
    "it's",
    'say "x"',
    "'q'",
    '"q"',
    "a\\b",
    "\t",
    "a\tb",
    "\u0001",
    "a \u0085 b",
    "a\u0085\u0085b",
    "\u0085",
    "\u2028",
    "é",
  ],
  ...["\u{1f600}", "\ue000", "\ufeff a", "\u00a0", "\ufffd", "# a\nb", "\u0001\nb"],
  ...[WORDS, ` ${WORDS}`, `${WORDS} `, `${WORDS}\n${WORDS}`, `a: ${WORDS}`, `'q' ${WORDS}`],
  ...[`\u0001 ${WORDS}`, `é ${WORDS}`, "x".repeat(200), "a  b " + "cc  dd ".repeat(20)],
];

const KEYS: readonly string[] = [
  ...["", "a", "B", "a2", "a10", "a1", "a01", "_z", "b-1", "b.2", "é", "\u{1f600}", "\ue000", "1"],
  ...["true", "~", "<<", "=", "a: b", "- a", "a b", "a\nb", "#", "'", '"', "{", "?", "\u0001"],
  ...["k".repeat(128), "k".repeat(129), "é".repeat(65), "w ".repeat(70)],
];

const NUMBERS = [0, 1.5, -0.25, 1e21, 1e-7, 1e-4, 1e15, 1e20, 5e-324, 0.1, 100000.5, 1234567.125];

/** Asks for the object that a creation would make, in YAML. */
async function created(t: Target, path: string, object: unknown): Promise<Answer> {
  t.mask(/manager: \w+/, "manager: <agent>");
  const answer = await t.post(`${path}?dryRun=All`, object, {
    headers: { Accept: "application/yaml" },
  });
  assert.equal(answer.code, 201);
  return answer;
}

const odd = (name: string, spec: () => unknown): void =>
  conformance(name, (t) =>
    withKind(t, {}, async (kind) => {
      await created(t, kind.path(), kind.object({ spec: spec() }));
    }));

odd("texts in YAML", () => ({ texts: TEXTS }));
odd("keys in YAML", () => Object.fromEntries(KEYS.map((key) => [key, 1])));
odd("numbers in YAML", () => ({ numbers: NUMBERS }));
odd("lists and objects in YAML", () => ({
  lists: [[1, [2, []]], {}, { a: [] }, [], [{ b: 1, c: [1] }], null, [true, false]],
  deep: { a: { b: { c: { d: WORDS, e: "a\nb\n" } } } },
  ["w ".repeat(70)]: ["a", { b: "c\n" }],
  ["x\ny"]: { b: [{ c: "d\n\n" }] },
}));

conformance("a control character that JSON does not escape has no form in YAML", async (t) => {
  const object = { metadata: { name: "a" }, data: { a: "\u007f" } };
  const options = { headers: { Accept: "application/yaml" } };
  const answer = await t.post(`${t.path("configmaps")}?dryRun=All`, object, options);
  assert.equal(answer.code, 500);
});
