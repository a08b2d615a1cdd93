import { testTable } from "../expressions_fakes_test.ts";

testTable("texts", {
  "'hello'.size()": "5",
  "size('é')": "1",
  "'abc'.contains('b')": "true",
  "'abc'.startsWith('ab')": "true",
  "'abc'.endsWith('c')": "true",
  "'abc'.matches('^a.c$')": "true",
  "'abc'.charAt(1)": "b",
  "'abc'.charAt(9)": "error: index out of range: 9",
  "'abcabc'.indexOf('c')": "2",
  "'abcabc'.indexOf('c', 3)": "5",
  "'abcabc'.lastIndexOf('a')": "3",
  "'AbC'.lowerAscii()": "abc",
  "'AbC'.upperAscii()": "ABC",
  "'a-b-c'.replace('-', '+')": "a+b+c",
  "'a-b-c'.replace('-', '+', 1)": "a+b-c",
  "'a,b,c'.split(',')": '["a", "b", "c"]',
  "'a,b,c'.split(',', 2)": '["a", "b,c"]',
  "'abc'.split('')": '["a", "b", "c"]',
  "'hello'.substring(1)": "ello",
  "'hello'.substring(1, 3)": "el",
  "'hello'.substring(3, 1)": "error: invalid substring range. start: 3, end: 1",
  "'  x '.trim()": "x",
  "['a', 'b'].join('-')": "a-b",
  "['a', 'b'].join()": "ab",
  "'abc'.reverse()":
    "ERROR: <input>:1:14: found no matching overload for 'reverse' applied to 'string.()'",
  "strings.quote('a\"b\\n')": '"a\\"b\\n"',
  '"\\u00e9\\x41\\101"': "éAA",
  "r'\\n'": "\\n",
  "'''a'b'''": "a'b",
  "'abc'.find('b.')": "bc",
  "'a1b22'.findAll('[0-9]+')": '["1", "22"]',
  "'a1b22'.findAll('[0-9]+', 1)": '["1"]',
  "'a1b22'.find('x')": "",
  "'x'.matches('[')": "ERROR: <input>:1:13: invalid matches argument",
  "'a' < 'b'": "true",
  "'%d|%s|%.2f|%e|%b|%x|%X|%o'.format([5, 'x', 1.5, 1500.0, 5, 255, 'hi', 8])":
    "5|x|1.50|1.500000×10⁰³|101|ff|6869|10",
  "'%s %s'.format([[1, 'a', null, true], {'b': 1u, 'a': 2.5}])":
    '[1, "a", null, true] {"a":2.500000, "b":1}',
  "'%d'.format(['x'])":
    "ERROR: <input>:1:14: error during formatting: decimal clause can only be used on integers, was given string",
  "'%f %e'.format(['NaN', '-Infinity'])": "NaN -∞",
  "'%f'.format(['constructor'])":
    "error: error during formatting: fixed-point clause can only be used on doubles, was given string",
  "'%s'.format([])": "ERROR: <input>:1:12: index 0 out of range",
  "'%z'.format([1])":
    'ERROR: <input>:1:12: could not parse formatting clause: unrecognized formatting clause "z"',
});
