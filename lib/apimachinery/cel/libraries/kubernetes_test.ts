import { testTable } from "../expressions_fakes_test.ts";

testTable("the libraries of Kubernetes", {
  "quantity('1Gi').isGreaterThan(quantity('1G'))": "true",
  "quantity('1.5').asInteger()": "error: cannot convert value to integer",
  "quantity('1500m').asApproximateFloat()": "1.5",
  "quantity('2k').add(quantity('1')).asInteger()": "2001",
  "quantity('5').sub(7).sign()":
    "ERROR: <input>:1:26: found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'",
  "isQuantity('1x')": "false",
  "quantity('x')":
    "ERROR: <input>:1:22: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Quantity",
  "quantity('50m').compareTo(quantity('0.05'))": "0",
  "isURL('https://a.b/c?d=1')": "true",
  "url('https://u@a.b:8080/c%20d?q=1&q=2#f').getHost()": "a.b:8080",
  "url('https://a.b:8080/c').getHostname()": "a.b",
  "url('https://a.b:8080/c').getPort()": "8080",
  "url('https://a.b/c%20d').getEscapedPath()": "/c%20d",
  "url('https://a.b/?q=1&q=2').getQuery()": '{"q":["1", "2"]}',
  "url('x')":
    "ERROR: <input>:1:17: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.URL",
  "url('https://[::1]:80/').getHostname()": "::1",
  "ip('10.0.0.1').family()": "4",
  "ip('::1').isLoopback()": "true",
  "ip('10.0.0.1') == ip('10.0.0.1')": "true",
  "ip('10.0.0.256')":
    "ERROR: <input>:1:16: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given net.IP",
  "isIP('::ffff:1.2.3.4')": "false",
  "ip.isCanonical('2001:DB8::1')": "false",
  "string(ip('2001:db8:0:0::1'))": "2001:db8::1",
  "cidr('10.0.0.0/8').containsIP('10.1.2.3')": "true",
  "cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')": "false",
  "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')": "true",
  "cidr('10.0.0.0/8').prefixLength()": "8",
  "cidr('10.0.0.0/33')":
    "ERROR: <input>:1:18: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given net.CIDR",
  "string(cidr('10.0.0.0/8').ip())": "10.0.0.0",
  "semver('1.2.3').major()": "1",
  "semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))": "true",
  "isSemver('v1.0')": "false",
  "isSemver('v1.0', true)": "true",
  "semver('01.2.3')":
    "ERROR: <input>:1:20: error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given kubernetes.Semver",
  "format.dns1123Label().validate('A_').value()":
    "[\"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\"]",
  "format.dns1123Label().validate('a').hasValue()": "false",
  "format.named('uuid').hasValue()": "true",
  "format.named('nope').hasValue()": "false",
  "format.qualifiedName().validate('/x').value()": '["prefix part must be non-empty"]',
  "format.date().validate('2020-13-01').value()": '["invalid date"]',
  "format.labelValue().validate('a b').value()":
    "[\"a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\"]",
});
