import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import { FieldPath } from "../errors/field_path.ts";
import { formatCidr, formatIp, isIpv6, parseCidr, parseIp, rangeHolds } from "./ip_address.ts";
import {
  checkEndpointIp,
  checkLegacyCidr,
  checkLegacyIp,
  ipWarnings,
} from "../../apiserver/validation/ip_fields.ts";

const path = FieldPath.of("ip");

Deno.test("parseIp() parses addresses, and refuses all other texts", () => {
  const canonical: Record<string, string> = {
    "10.0.0.1": "10.0.0.1",
    "010.000.0.01": "10.0.0.1",
    "2001:DB8:0:0:0:0:0:1": "2001:db8::1",
    "::": "::",
    "::1": "::1",
    "1::": "1::",
    "1:0:0:2:0:0:0:3": "1:0:0:2::3",
    "::ffff:1.2.3.4": "1.2.3.4",
    "64:ff9b::1.2.3.4": "64:ff9b::102:304",
  };
  for (const [text, expected] of Object.entries(canonical)) {
    assert.equal(formatIp(parseIp(text)!), expected, text);
  }
  const wrong = [
    "",
    "1.2.3",
    "1.2.3.4.5",
    "256.1.1.1",
    "1.2.3.x",
    ":",
    ":::",
    "1::2::3",
    "g::",
    "12345::",
  ];
  for (const text of [...wrong, "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1.2.3.4::"]) {
    assert.equal(parseIp(text), undefined, text);
  }
});

Deno.test("formatIp() formats a text that parseIp() parses to an equal address", () => {
  const { random } = printedRandom();
  for (let run = 0; run < 2000; run++) {
    const length = random.next() < 0.5 ? 4 : 16;
    const bytes = Array.from(
      { length },
      () => random.next() < 0.6 ? 0 : Math.floor(random.next() * 256),
    );
    const text = formatIp({ bytes });
    const read = parseIp(text)!;
    assert.equal(formatIp(read), text);
    if (isIpv6(read) || length === 4) assert.deepEqual(read.bytes, bytes);
  }
});

Deno.test("rangeHolds() reports the addresses that share the prefix of the range", () => {
  const range = parseCidr("10.0.0.0/24")!;
  assert(rangeHolds(range, parseIp("10.0.0.255")!));
  assert(!rangeHolds(range, parseIp("10.0.1.0")!));
  assert(!rangeHolds(range, parseIp("::a00:1")!));
  assert.equal(formatCidr(parseCidr("10.0.0.77/24")!), "10.0.0.0/24");
  for (const text of ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/x", "/24", "::/129"]) {
    assert.equal(parseCidr(text), undefined, text);
  }
});

Deno.test("ambiguous addresses are refused unless they were stored before", () => {
  assert.match(checkLegacyIp(path, "010.0.0.1")[0]!.body, /leading 0s/);
  assert.deepEqual(checkLegacyIp(path, "010.0.0.1", ["010.0.0.1"]), []);
  assert.match(checkLegacyIp(path, "::ffff:1.2.3.4")[0]!.body, /IPv4-mapped/);
  assert.match(checkLegacyCidr(path, "10.0.0.1/24")[0]!.body, /bits set/);
  assert.deepEqual(checkLegacyCidr(path, "10.0.0.0/24"), []);
});

Deno.test("loopback and link-local addresses are refused as endpoints", () => {
  for (
    const address of [
      "127.1.2.3",
      "::1",
      "0.0.0.0",
      "::",
      "169.254.0.1",
      "fe80::1",
      "224.0.0.9",
      "ff02::1",
    ]
  ) {
    assert.equal(checkEndpointIp(path, address).length, 1, address);
  }
  assert.deepEqual(checkEndpointIp(path, "192.0.2.1"), []);
});

Deno.test("addresses and ranges that are not canonical cause warnings", () => {
  assert.deepEqual(ipWarnings(path, "2001:db8::1"), []);
  assert.equal(ipWarnings(path, "2001:DB8::1").length, 1);
});
