import { testTable } from "../expressions_fakes_test.ts";

testTable("values that may be there, and libraries that are not", {
  "optional.of(1).value()": "1",
  "optional.none().value()": "error: optional.none() dereference",
  "optional.none().orValue(3)": "3",
  "{'a': 1}[?'b'].hasValue()": "false",
  "{'a': 1}.?a.orValue(0)": "1",
  "[1, 2][?5].orValue(9)": "9",
  "optional.of(1).or(optional.of(2)).value()": "1",
  "optional.ofNonZeroValue('').hasValue()": "false",
  "optional.of(2).optMap(x, x + 1).value()": "3",
  "optional.of(2).optFlatMap(x, optional.none()).hasValue()": "false",
  "{?'a': optional.none(), 'b': 1}":
    "ERROR: <input>:1:34: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type",
  "[?optional.of(1), ?optional.none()]":
    "ERROR: <input>:1:27: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type",
  "has({'a': 1}.a)": "true",
  "has({'a': 1}.b)": "false",
  "cel.bind(x, 2, x * x)": "ERROR: <input>:1:1: undeclared reference to 'cel'",
  "math.greatest(1, 2.5)": "ERROR: <input>:1:1: undeclared reference to 'math'",
  "math.abs(-3)": "ERROR: <input>:1:1: undeclared reference to 'math'",
  "math.round(2.5)": "ERROR: <input>:1:1: undeclared reference to 'math'",
  "base64.encode(b'hi')": "ERROR: <input>:1:1: undeclared reference to 'base64'",
  "base64.decode('aGk=')": "ERROR: <input>:1:1: undeclared reference to 'base64'",
});
