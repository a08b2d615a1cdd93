import assert from "node:assert/strict";
import { definitionOf, DEFINITIONS, withKind } from "./custom_kind.ts";
import { conformanceSuite } from "../suite.ts";

const conformance = conformanceSuite(import.meta.url);

/** Expressions by what they are about; what each is, or why it is nothing, is in the record. */
const EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  "doubles of hexadecimal notation and with underscores": [
    "double('0x1p-2')",
    "double('-0X1.8P1')",
    "double('0x.8p1')",
    "double('0x1.p1')",
    "double('0x.p1')",
    "double('0x1')",
    "double('0x1p')",
    "double('0x1p2000')",
    "double('0x1p-2000')",
    "double('0x1_0p1')",
    "double('0x_1p1')",
    "double('1_23.50_0_0e+1_2')",
    "double('_1')",
    "double('1_')",
    "double('1__0')",
    "double('1._5')",
    "double('0x1.00000000000008p0')",
    "double('0x1.00000000000018p0')",
    "double('0x0.0000001p-1030')",
    "double('0x1.8p-1075')",
    "double('0x0.80000001p-1074')",
    "double('0x1.fffffffffffffcp1023')",
  ],
  "keys of maps": [
    "size({dyn(1): 1, dyn(1u): 2, dyn(1.0): 3})",
    "{dyn(1): 'a', dyn(1u): 'b'}[dyn(1.0)]",
    "dyn(1) in {dyn(1.0): 1}",
    "dyn(1.0) in {dyn(1): 1}",
    "dyn(1u) in {dyn(1): 1}",
    "{dyn(1): 1} == {dyn(1.0): 1}",
    "{dyn(1.0): 1} == {dyn(1): 1}",
    "size({dyn(double('nan')): 1, dyn(double('nan')): 2})",
    "size({dyn([1]): 1, dyn([1]): 2})",
    "dyn([1]) in {dyn([1]): 1}",
    "size({dyn(quantity('1')): 1, dyn(quantity('1')): 2})",
    "size({dyn(duration('1h')): 1, dyn(duration('60m')): 2})",
    "timestamp('2020-01-01T00:00:00Z') in {timestamp('2020-01-01T00:00:00Z'): 1}",
    "{duration('1h'): 1}[duration('1h')]",
    "{'a': 1}[dyn(null)]",
    "{'a': 1}[dyn([1])]",
    "{'a': 1}[?dyn(duration('1h'))]",
    "[1][dyn(null)]",
    "{'a': 1}[dyn(self.count == 1 ? duration('1h') : duration('2h'))]",
    "{'a': 1}[dyn([self.count])]",
    "[1][dyn({'a': self.count})]",
    "{'a': 1}[?dyn(type(self))]",
  ],
  "existsOne, with one variable and with two": [
    "[1, 2, 2].existsOne(x, x == 1)",
    "[1].existsOne(i, x, x == 1)",
    "[1].exists_one(i, x, x == 1)",
    "[1, 2, 2].exists_one(x, x == 1)",
    "{'a': 1}.existsOne(k, k == 'a')",
    "{'a': 1}.existsOne(k, v, v == 1)",
    "[].existsOne(1, true)",
  ],
  "durations of integers": [
    "duration(1)",
    "duration(-5)",
    "duration(self.count)",
    "duration(1 + 1)",
    "duration(1u)",
    "duration('1s')",
    "duration(duration('1s'))",
    "int(duration('1s'))",
  ],
  "names of types": [
    "dyn",
    "dyn == dyn",
    "[dyn, int]",
    "type(dyn)",
    "type(dyn(1)) == int",
    "net.IP",
    "net.CIDR",
    "net",
    "net.X",
    "[net.IP]",
    "net.IP == net.CIDR",
    "type(ip('1.2.3.4')) == net.IP",
    "type(cidr('1.2.3.0/24')) == net.CIDR",
    "kubernetes.URL",
    "optional_type",
    "list",
    "map",
    "null_type",
    "any",
    "google.protobuf.Timestamp",
    "type(type(1))",
  ],
  "what is a URL": [
    "isURL('http://#%blah$#@')",
    "isURL('http://a#%zz')",
    "isURL('http://a/%zz')",
    "isURL('http://a%zz/')",
    "isURL('http://a%41/')",
    "isURL('http://a%20b/')",
    "isURL('http://%e4%b8%ad/')",
    "isURL('http://u%zz@h/')",
    "isURL('http://u%41:p@h/')",
    "isURL('http://u[@h/')",
    "isURL('http://a@b@c/')",
    "isURL('http://[fe80::1%25en0]:80/')",
    "isURL('http://[fe80::1%en0]/')",
    "isURL('http://[::1')",
    "isURL('http://[zz]/')",
    "isURL('http://[1.2.3.4]/')",
    "isURL('http://a[::1]/')",
    "isURL('http://a:80:90/')",
    "isURL('postgres://a:80,b:90/')",
    "isURL('http://:80')",
    "isURL('http:')",
    "isURL('http://')",
    "isURL('http:/a')",
    "isURL('1http://a')",
    "isURL('a:b')",
    "isURL('/a b')",
    "isURL('/%')",
    "isURL('*')",
    "isURL('')",
    "isURL('//a')",
    "isURL('http://h\\\\')",
    "isURL('http://h^')",
    "isURL('http://a?%zz')",
    "url('http://%e4%b8%ad/').getHost()",
    "url('http://u:p@h:1/p?q=1#f').getHost()",
    "url('http://[::1]:8/').getHostname()",
  ],
  "white space": [
    "'\\u00a0a\\u0085'.trim()",
    "'\\u2003a\\u3000'.trim()",
    "'\\ufeffa'.trim() == 'a'",
    "'\\u180ea\\u200b'.trim() == 'a'",
    "'\\v\\fa\\r\\n'.trim()",
    "'\\u1680a\\u2028\\u2029\\u202f\\u205f'.trim()",
    "'  a b  '.trim() + '|'",
    "' '.trim() == ''",
  ],
  "flatten and optionals behind dyn": [
    "dyn([[1], [2]]).flatten()",
    "dyn([[1], [2, [3]]]).flatten(2)",
    "dyn(1).flatten()",
    "dyn(1).flatten(1)",
    "dyn('a').flatten()",
    "dyn([1]).flatten(-1)",
    "[[1], [2]].flatten()",
    "dyn(optional.of(1)).orValue(2)",
    "dyn(optional.none()).orValue('x')",
    "dyn(1).orValue(2)",
    "dyn(null).orValue(1)",
    "dyn([]).orValue(1)",
    "dyn(1).or(optional.none())",
    "dyn('x').or(optional.of(1))",
    "[1].orValue(2)",
    "optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')) == optional.none()",
  ],
  "comparisons where integers and doubles part": [
    "9223372036854775807 < 9223372036854775808.0",
    "9223372036854775807 >= 9223372036854775808.0",
    "9223372036854775807 == 9223372036854775808.0",
    "dyn(9223372036854775807) == 9223372036854775808.0",
    "dyn(9223372036854775807) < 9223372036854775808.0",
    "dyn(9223372036854775807) > 9223372036854774784.0",
    "dyn(-9223372036854775808) == -9223372036854775808.0",
    "18446744073709551615u < 18446744073709551616.0",
    "18446744073709551615u == dyn(18446744073709551616.0)",
    "9223372036854775807 < 9223372036854775808u",
    "dyn(9007199254740993) > 9007199254740992.0",
    "9007199254740993 == dyn(9007199254740992.0)",
    "1u < dyn(-1)",
    "-1.5 < dyn(1u)",
    "1 < 0.0 / 0.0",
    "int(9223372036854775807.0)",
    "uint(18446744073709549568.0)",
    "math.greatest([9223372036854775807, 9223372036854775808.0])",
  ],
};

function schemaOf(expressions: readonly string[]): Record<string, unknown> {
  const rules = expressions.map((expression) => ({
    // Never true, so that the message shows the value, and an error shows itself.
    rule: `[${expression}].size() == 0`,
    messageExpression: `'%s'.format([${expression}])`,
  }));
  const spec = {
    type: "object",
    properties: { count: { type: "integer" } },
    "x-kubernetes-validations": rules,
  };
  return { type: "object", properties: { spec } };
}

for (const [what, expressions] of Object.entries(EXPRESSIONS)) {
  conformance(`expressions: ${what}`, async (t) => {
    const compiled: string[] = [];
    for (const expression of expressions) {
      const definition = definitionOf(t, { schema: schemaOf([expression]) });
      const { code } = await t.post(`${DEFINITIONS}?dryRun=All`, definition);
      if (code === 201) compiled.push(expression);
    }
    await withKind(t, { schema: schemaOf(compiled) }, async (kind) => {
      const { body } = await kind.create({ spec: { count: 3 } });
      assert.equal(body.details.causes.length, compiled.length, body.message);
    });
  });
}
