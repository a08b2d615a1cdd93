import assert from "node:assert/strict";
import { parseYaml } from "../yaml.ts";

/** A YAML key that is longer than a simple key may be. */
const LONG = "k".repeat(1025);

/** The result of sigs.k8s.io/yaml v1.6.0 for each YAML text: a tree or an error. */
const CASES: Readonly<Record<string, readonly (readonly [text: string, meaning: unknown])[]>> = {
  "a flow collection may end at the column of its key": [
    ["a: [\n  1\n]\nb: {\n}\n", { "a": [1], "b": {} }],
    ["a:\n  b: [\n  1,\n  2\n  ]\n  c: {x: y\n}\n", { "a": { "b": [1, 2], "c": { "x": true } } }],
    ["a: [\n1,\n]", { "a": [1] }],
    ["[\na, b\n]: c", new Error("yaml: line 3: mapping values are not allowed in this context")],
  ],
  "an escape is one of YAML 1.1, not of JSON": [
    ['"\\u00e9\\x41\\U0001f600\\0\\N\\_\\L\\P\\e\\a"', "éA😀\u0000\u0085 \u2028\u2029\u001b\u0007"],
    ['"\\ud83d\\ude00"', new Error("yaml: found invalid Unicode character escape code")],
    ['"\\/"', new Error("yaml: found unknown escape character")],
    ['"\\q"', new Error("yaml: found unknown escape character")],
    ['"\\u12"', new Error("yaml: did not find expected hexdecimal number")],
    ['"\\UFFFFFFFF"', new Error("yaml: found invalid Unicode character escape code")],
    ['"a\\\n  b"', "ab"],
    ['"\\\t"', "\t"],
    ["'\\n it''s'", "\\n it's"],
  ],
  "a block scalar has the line breaks that its header asks for and its text has": [
    ["a: |\n  x", { "a": "x" }],
    ["a: |\n  x\n", { "a": "x\n" }],
    ["a: |+\n  x\n\n\n", { "a": "x\n\n\n" }],
    ["a: |-\n  x\n\n", { "a": "x" }],
    ["a: |2\n    x\n", { "a": "  x\n" }],
    ["a: >\n  x\n  y\n\n  z\n   w\n", { "a": "x y\nz\n w\n" }],
    ["a: >-\n\n  x", { "a": "\nx" }],
    ["a: |", { "a": "" }],
    ["a: |\nb: c", { "a": "", "b": "c" }],
    ["a: |0\n x", new Error("yaml: found an indentation indicator equal to 0")],
    ["a: | # c\n  x\n", { "a": "x\n" }],
    ["a: |x\n", new Error("yaml: did not find expected comment or line break")],
    [
      "a: |\n\t x",
      new Error("yaml: line 2: found a tab character where an indentation space is expected"),
    ],
    ["- |\n x\n- y", ["x\n", true]],
    ["a: |\n    x\n  y\n", new Error("yaml: line 2: did not find expected key")],
  ],
  "a tab is a space where no key may begin": [
    ["a: b\t# c\n", { "a": "b" }],
    ["a:\tb", { "a": "b" }],
    ["a: [1,\t2\t]\t# c\n", { "a": [1, 2] }],
    ["a: |\t# c\n  x\n", { "a": "x\n" }],
    ["\ta: b", new Error("yaml: found character that cannot start any token")],
    ["a:\n\tb: c", new Error("yaml: line 2: found character that cannot start any token")],
    ["a: b\n\t# c\n", new Error("yaml: line 2: found a tab character that violates indentation")],
    ["a: b\n\tc", new Error("yaml: line 2: found a tab character that violates indentation")],
    ["-\ta", new Error("yaml: found character that cannot start any token")],
    ["- a\t- b", ["a\t- b"]],
  ],
  "behind the first document anything may stand": [
    ["a: b\n---\n@", { "a": "b" }],
    ["a: b\n...\n}", { "a": "b" }],
    ['"a" b', "a"],
    ["a: b\n---\nc: [", { "a": "b" }],
    ["--- a\n--- b", "a"],
    ["[a] b: c\n: d", new Error("yaml: did not find expected key")],
    ["a: b\n}", new Error("yaml: line 1: did not find expected key")],
    ["a: b\n--- }", { "a": "b" }],
    ["", null],
    ["# c\n", null],
    ["---\n", null],
    ["---\n---\na: b", null],
    ["...\na: b", new Error("yaml: did not find expected node content")],
    ["%YAML 1.1\n---\na: b", { "a": "b" }],
    ["%YAML 1.2\n---\na: b", new Error("yaml: found incompatible YAML document")],
    ["%TAG ! tag:a,2000:\n---\n!x y", "y"],
    ["%FOO\n---\na", new Error("yaml: found unknown directive name")],
  ],
  "a key is found by its colon": [
    ["a : b", { "a": "b" }],
    ["a:b", "a:b"],
    ["? a\n: b", { "a": "b" }],
    ["? a", { "a": null }],
    [": b", new Error("yaml: did not find expected key")],
    ["{a, b: c, ? d, : e}", new Error("yaml: did not find expected node content")],
    ["[a: b, ? c, : d]", new Error("yaml: did not find expected node content")],
    ["{}: x", {}],
    ["[a]: b", new Error('yaml: invalid map key: []interface {}{"a"}')],
    ["{a: b}: c", new Error('yaml: invalid map key: map[interface {}]interface {}{"a":"b"}')],
    [
      `${LONG.slice(0, 1025)}: b`,
      new Error("yaml: mapping values are not allowed in this context"),
    ],
    [`${LONG.slice(0, 1020)}: b`, { [LONG.slice(0, 1020)]: "b" }],
    ["a\nb: c", new Error("yaml: line 2: mapping values are not allowed in this context")],
    ["{a\n: b}", new Error("yaml: line 1: did not find expected ',' or '}'")],
    ["'a': b", { "a": "b" }],
    ["a: b: c", new Error("yaml: mapping values are not allowed in this context")],
    ["a: 'b': c", new Error("yaml: mapping values are not allowed in this context")],
    ["- a: b\n  c: d\n- e", [{ "a": "b", "c": "d" }, "e"]],
    ["a:\n- b\n- c\nd: e", { "a": ["b", "c"], "d": "e" }],
    ["a:\n  - b\n - c", new Error("yaml: line 2: did not find expected key")],
    ["a: b\n  c: d", new Error("yaml: line 2: mapping values are not allowed in this context")],
    ["a: b\n c", { "a": "b c" }],
  ],
  "keys are texts in JSON": [
    ["1: a", { "1": "a" }],
    ["0x10: a", { "16": "a" }],
    ["1.50: a", { "1.5": "a" }],
    ["123456789.5: a", { "1.2345679e+08": "a" }],
    [".inf: a", { ".inf": "a" }],
    ["true: a\nno: b", { "false": "b", "true": "a" }],
    ["2020-01-01: a", { "2020-01-01": "a" }],
    ["~: a", new Error('unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"')],
    [
      "18446744073709551615: a",
      new Error('unsupported map key of type: uint64, key: 0xffffffffffffffff, value: "a"'),
    ],
    ["9007199254740993: a", { "9007199254740993": "a" }],
    ["!!binary aGk=: b", { "hi": "b" }],
    ["a: 1\na: 2\n1: x\n1:\n  y\n", { "1": true, "a": 2 }],
  ],
  "aliases and merges": [
    ["a: &x {b: 1}\nc: *x", { "a": { "b": 1 }, "c": { "b": 1 } }],
    ["a: *x", new Error("yaml: unknown anchor 'x' referenced")],
    ["a: &x [*x]", new Error("yaml: anchor 'x' value contains itself")],
    ["a: &x b\n*x : c", { "a": "b", "b": "c" }],
    ["a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n  b: 4\n", {
      "a": { "b": 1, "c": 2 },
      "d": { "b": 4, "c": 2 },
    }],
    ["<<: [{a: 1, b: 1}, {b: 2}]", { "a": 1, "b": 1 }],
    ["<<: 1", new Error("yaml: map merge requires map or sequence of maps as the value")],
    ["a: &x 1\n<<: *x", new Error("yaml: map merge requires map or sequence of maps as the value")],
    ["? &x a\n: *x", { "a": "a" }],
    ["&a &b c", null],
    ["! <<: {a: 1}", { "a": 1 }],
    ["'<<': {a: 1}", { "<<": { "a": 1 } }],
  ],
  "what no YAML is, in the real server's words": [
    ["{", new Error("yaml: line 1: did not find expected node content")],
    ["[a", new Error("yaml: line 1: did not find expected ',' or ']'")],
    ["{a: b", new Error("yaml: line 1: did not find expected ',' or '}'")],
    ["a: [}", new Error("yaml: did not find expected node content")],
    ["@x", new Error("yaml: found character that cannot start any token")],
    ["`x", new Error("yaml: found character that cannot start any token")],
    ["%x", new Error("yaml: found unknown directive name")],
    ["a: @x", new Error("yaml: found character that cannot start any token")],
    ["'x", new Error("yaml: found unexpected end of stream")],
    ['"x', new Error("yaml: found unexpected end of stream")],
    ["a: b\n\u0001", new Error("yaml: control characters are not allowed")],
    ["a: \u007f", new Error("yaml: control characters are not allowed")],
    ["a: \u0085b", new Error("yaml: line 3: could not find expected ':'")],
    ["\ufeffa: b", { "a": "b" }],
    ["a: &", new Error("yaml: did not find expected alphabetic or numeric character")],
    ["a: *", new Error("yaml: did not find expected alphabetic or numeric character")],
    ["a: !!int x", new Error("yaml: cannot decode !!str `x` as a !!int")],
    ["!<x", new Error("yaml: did not find the expected '>'")],
    ["!a!b c", new Error("yaml: found undefined tag handle")],
    ["- a\nb: c", new Error("yaml: line 1: did not find expected '-' indicator")],
    ["a: b\n- c", new Error("yaml: line 1: did not find expected key")],
    ["a: {b\nc: d}", new Error("yaml: line 1: did not find expected ',' or '}'")],
    ["- - a\n - b", new Error("yaml: line 1: did not find expected '-' indicator")],
    ["a: 'x'y", new Error("yaml: did not find expected key")],
    ["k: [a b\n c]", { "k": ["a b c"] }],
    [
      "{{ .Values.x }}: y",
      new Error(
        'yaml: invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}',
      ),
    ],
    [
      "a: {{ x }}",
      new Error('yaml: invalid map key: map[interface {}]interface {}{"x":interface {}(nil)}'),
    ],
    ["a: - b", new Error("yaml: block sequence entries are not allowed in this context")],
    ["a: |\n x\nb", new Error("yaml: line 4: could not find expected ':'")],
    ["a:\n  b: c\n d: e", new Error("yaml: line 2: did not find expected key")],
  ],
};

function meaningOf(source: string | Uint8Array): unknown {
  try {
    return parseYaml(source).tree;
  } catch (error) {
    return error;
  }
}

for (const [what, cases] of Object.entries(CASES)) {
  Deno.test(`YAML: ${what}`, () => {
    for (const [text, expected] of cases) {
      const meaning = meaningOf(text);
      const shown = JSON.stringify(text);
      if (expected instanceof Error) {
        assert.ok(meaning instanceof Error, `${shown}: ${JSON.stringify(meaning)}`);
        assert.equal(meaning.message, expected.message, shown);
      } else assert.deepEqual(meaning, expected, shown);
    }
  });
}

Deno.test("YAML: malformed UTF-8 is refused", () => {
  for (
    const [bytes, why] of [
      [[0x61, 0x80], "invalid leading UTF-8 octet"],
      [[0xc3, 0x28], "invalid trailing UTF-8 octet"],
      [[0x61, 0xe2, 0x82], "incomplete UTF-8 octet sequence"],
      [[0xc0, 0x80], "invalid length of a UTF-8 sequence"],
      [[0xed, 0xa0, 0x80], "invalid Unicode character"],
    ] as const
  ) assert.throws(() => parseYaml(Uint8Array.from(bytes)), { message: `yaml: ${why}` });
});

/** Encodes a text in UTF-16 with a byte order mark. */
function utf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(2 + 2 * text.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, littleEndian);
  for (let i = 0; i < text.length; i++) {
    view.setUint16(2 + 2 * i, text.charCodeAt(i), littleEndian);
  }
  return bytes;
}

Deno.test("YAML: a byte order mark of UTF-16 sets the encoding", () => {
  for (const littleEndian of [true, false]) {
    const read = (text: string) => parseYaml(utf16(text, littleEndian));
    assert.deepEqual(read('a: "gr\u00fcn \ud83d\ude00"\n').tree, { a: "gr\u00fcn \ud83d\ude00" });
    const refused = [
      ["a: \ud800b", "expected low surrogate area"],
      ["a: \udc00", "unexpected low surrogate area"],
      ["a: \ud83d", "incomplete UTF-16 surrogate pair"],
      ["a: \u0001", "control characters are not allowed"],
    ] as const;
    for (const [text, why] of refused) {
      assert.throws(() => read(text), { message: `yaml: ${why}` });
    }
    const odd = utf16("a: b", littleEndian).subarray(0, -1);
    assert.throws(() => parseYaml(odd), { message: "yaml: incomplete UTF-16 character" });
  }
});

Deno.test("YAML: a control character counts only in a block of 512 bytes that is read", () => {
  const encoded = (text: string) => new TextEncoder().encode(text);
  const forbidden = "yaml: control characters are not allowed";
  // The messages are those of go.yaml.in/yaml/v2 2.4.4.
  for (
    const [source, message] of [
      [encoded(`a: ]\n# ${"x".repeat(504)}\u0001`), forbidden],
      [encoded(`a: ]\n# ${"x".repeat(505)}\u0001`), "yaml: did not find expected node content"],
      [encoded(`a: ]\n# ${"\u00e9".repeat(252)}\u0001`), forbidden],
      [
        encoded(`a: ]\n# ${"\u00e9".repeat(253)}\u0001`),
        "yaml: did not find expected node content",
      ],
      // The euro sign after 510 bytes belongs to the next block.
      [
        encoded(`a: ]\n# ${"x".repeat(503)}\u20ac\u0001`),
        "yaml: did not find expected node content",
      ],
      [encoded(`# ${"\u00e9".repeat(480)}\na: ]\n${"y".repeat(20)}\u0001`), forbidden],
      [utf16(`a: ]\n# ${"x".repeat(247)}\u0001`, true), forbidden],
      [
        utf16(`a: ]\n# ${"x".repeat(248)}\u0001`, true),
        "yaml: did not find expected node content",
      ],
    ] as const
  ) assert.throws(() => parseYaml(source), { message });
  const next = "a: b\n---\nc: d\n";
  assert.deepEqual(parseYaml(encoded(`${next}${"\u00e9".repeat(252)}\u0001`)).tree, { a: "b" });
});

Deno.test("YAML: a document may be 10 000 levels deep", () => {
  const depthOf = (tree: unknown): number => {
    let depth = 0;
    for (let at = tree; Array.isArray(at); at = at[0]) depth++;
    return depth;
  };
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.equal(depthOf(parseYaml(nested(10_000)).tree), 10_000);
  assert.throws(() => parseYaml(nested(10_001)), {
    message: "yaml: exceeded max depth of 10000",
  });
  assert.throws(() => parseYaml(`a: 1\nb: ${nested(10_001)}`), {
    message: "yaml: line 2: exceeded max depth of 10000",
  });
});

Deno.test("YAML: aliases that multiply the nodes of a document are refused", () => {
  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 9; i++) {
    lines.push(`a${i}: &a${i} [${Array(9).fill(`*a${i - 1}`).join(", ")}]`);
  }
  assert.throws(() => parseYaml(lines.join("\n")), {
    message: "yaml: document contains excessive aliasing",
  });
});

Deno.test("YAML: the line of a repeated key is that of its value", () => {
  const text = "a: 1\nb: {c: 1, c: 2}\na:\n\n  x: y\n1: x\n1: y\n";
  assert.deepEqual(parseYaml(text).duplicates, [
    'line 2: key "c" already set in map',
    'line 5: key "a" already set in map',
    "line 7: key 1 already set in map",
  ]);
});

Deno.test("YAML: the number of characters read grows linearly with the text", () => {
  const small = charactersRead(1_000);
  const large = charactersRead(4_000);
  assert.ok(large < small * 4.2, `${small} characters read, and ${large} of four times the keys`);
});

/** Counts the reads of characters while a YAML document of `keys` keys is parsed. */
function charactersRead(keys: number): number {
  let count = 0;
  const { charCodeAt, indexOf } = String.prototype;
  String.prototype.charCodeAt = function (at) {
    count++;
    return charCodeAt.call(this, at);
  };
  String.prototype.indexOf = function (...args) {
    count += this.length - (args[1] ?? 0);
    return indexOf.apply(this, args);
  };
  try {
    parseYaml(Array.from({ length: keys }, (_, i) => `key${i}: [a, {b: "c"}]\n`).join(""));
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf });
  }
  return count;
}
