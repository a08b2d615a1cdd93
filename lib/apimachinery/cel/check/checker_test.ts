import { testTable } from "../expressions_fakes_test.ts";

testTable("what does not fit is refused where it stands", {
  "a": "ERROR: <input>:1:1: undeclared reference to 'a'",
  "f(1)": "ERROR: <input>:1:2: undeclared reference to 'f'",
  "'a' + 1": "ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(string, int)'",
  "1 ? 2 : 3":
    "ERROR: <input>:1:3: found no matching overload for '_?_:_' applied to '(int, int, int)'",
  "x.all(1, true)": "ERROR: <input>:1:7: argument must be a simple name",
  "1 == 'a'":
    "ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, string)'",
  "08": "8",
  "a.b.c": "ERROR: <input>:1:1: undeclared reference to 'a'",
  "[1].map(x)": "ERROR: <input>:1:8: undeclared reference to 'map'",
  "'\\q'": "ERROR: <input>:1:1: Syntax error: token recognition error at: ''\\q'",
  "1 in 2": "ERROR: <input>:1:3: found no matching overload for '@in' applied to '(int, int)'",
  "!1": "ERROR: <input>:1:1: found no matching overload for '!_' applied to '(int)'",
  "-'a'": "ERROR: <input>:1:1: found no matching overload for '-_' applied to '(string)'",
  "size(1)": "ERROR: <input>:1:5: found no matching overload for 'size' applied to '(int)'",
  "has(a)": "ERROR: <input>:1:5: invalid argument to has() macro",
  "9999999999999999999": "ERROR: <input>:1:1: invalid int literal",
  "true && 1": "ERROR: <input>:1:9: expected type 'bool' but found 'int'",
  "{'a': 1, 'a': 2}": '{"a":2}',
  "{b'a': 1}": "ERROR: <input>:1:2: unsupported map key type: bytes",
  "'%s'.format([{bytes('a'): 1, 'b': 2}])": "ERROR: <input>:1:20: unsupported map key type: bytes",
  "@": "ERROR: <input>:1:1: Syntax error: token recognition error at: '@'",
  "1..2": "ERROR: <input>:1:3: Syntax error: no viable alternative at input '..2'",
  "'a'.foo()": "ERROR: <input>:1:8: undeclared reference to 'foo'",
  "for": "ERROR: <input>:1:1: reserved identifier: for",
  "string": "string",
  '"\\ud800"': "ERROR: <input>:1:1: invalid unicode code point",
});
