import assert from "node:assert/strict";
import { pemText } from "./pem.ts";
import { pemBlocks } from "./pem_blocks.ts";
import { readCertificationRequest } from "./certification_request.ts";

const BEGIN = "-----BEGIN A-----\n";
const UNFINISHED = BEGIN.repeat(200_000);

Deno.test("pemBlocks() takes linear time for a text of blocks without end", () => {
  const whole = pemText("A", new Uint8Array([1]));
  assert.deepEqual(pemBlocks(UNFINISHED), []);
  assert.deepEqual(pemBlocks(`${BEGIN}x\n${whole}y`), [{ label: "A", text: whole }]);
});

Deno.test("readCertificationRequest() takes linear time for blocks without end", () => {
  assert.throws(() => readCertificationRequest(btoa(UNFINISHED)), /PEM block type must be/);
});
