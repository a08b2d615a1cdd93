import { REGEXP_ENGINE } from "../../validation/go_regexp.ts";
import { testTable } from "../expressions_fakes_test.ts";

await REGEXP_ENGINE.get();

testTable("conversions", {
  "int('42')": "42",
  "int(3.9)": "3",
  "int(-3.9)": "-3",
  "int(1e30)": "integer overflow",
  "uint(5)": "5",
  "uint(-1)": "unsigned integer overflow",
  "uint('x')": "type conversion error from 'string' to 'uint'",
  "double('1.5')": "1.5",
  "double('x')": "type conversion error from 'string' to 'double'",
  "string(1.0)": "1",
  "string(1e21)": "1e+21",
  "string(123456789.0)": "1.23456789e+08",
  "string(b'abc')": "abc",
  "string(b'\\xff')": "invalid UTF-8 in bytes, cannot convert to string",
  "string(true)": "true",
  "bool('true')": "true",
  "bool('TRUE')": "true",
  "bool('x')": "type conversion error from 'string' to 'bool'",
  "type(1) == int": "true",
  "type('a') == type('b')": "true",
  "bytes('é')": "é",
  "size(bytes('é'))": "2",
  "int(timestamp('2020-01-01T00:00:00Z'))": "1577836800",
  "string(duration('90m'))": "5400s",
  "string(timestamp('2020-01-01T00:00:00.5Z'))": "2020-01-01T00:00:00.5Z",
  "int(true)": "ERROR: <input>:1:4: found no matching overload for 'int' applied to '(bool)'",
});
