import { REGEXP_ENGINE } from "../../validation/go_regexp.ts";
import { testTable } from "../expressions_fakes_test.ts";

await REGEXP_ENGINE.get();

testTable("operators are those of the language, and their errors too", {
  "1 + 2 * 3": "7",
  "7 / 2": "3",
  "-7 / 2": "-3",
  "-7 % 3": "-1",
  "7.0 / 2.0": "3.5",
  "1 / 0": "error: division by zero",
  "1 % 0": "error: modulus by zero",
  "9223372036854775807 + 1": "error: integer overflow",
  "-9223372036854775808 - 1": "error: integer overflow",
  "2u - 3u": "error: unsigned integer overflow",
  "1.0 / 0.0": "+Inf",
  "0xff": "255",
  "1e3": "1000",
  "1 < 1.5": "true",
  "1 == 1.0":
    "ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, double)'",
  "1u < 2": "true",
  "{'a': 1} == {'a': 1.0}":
    "ERROR: <input>:1:10: found no matching overload for '_==_' applied to '(map(string, int), map(string, double))'",
  "'a' + \"b\"": "ab",
  "b'ab' + b'c'": "abc",
  "[1] + [2]": "[1, 2]",
  "2 in [1, 2]": "true",
  "'a' in {'a': 1}": "true",
  "!true || true": "true",
  "1/0 == 1 || true": "true",
  "false && 1/0 == 1": "false",
  "true ? 1 : 2": "1",
  "[1, 2, 3][1]": "2",
  "[1][5]": "error: index out of bounds: 5",
  "{'a': 1}['b']": "error: no such key: b",
  "{'a': {'b': 2}}.a.b": "2",
  "dyn({'a': 1}).b": "error: no such key: b",
  "[[1], [2]][1][0]": "2",
  "dyn([1])[1.0 - 1.0]": "1",
  "-(-3)": "3",
  "- 9223372036854775807": "-9223372036854775807",
  "int('x')": "type conversion error from 'string' to 'int'",
  "null == null": "true",
});
