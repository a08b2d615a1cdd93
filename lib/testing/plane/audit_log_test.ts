import assert from "node:assert/strict";
import { parseAuditLog } from "./audit_log.ts";

Deno.test("parseAuditLog() skips an incomplete last line", () => {
  const text = '{"auditID":"1"}\n{"auditID":"2"}\n{"audi';
  assert.deepEqual(parseAuditLog(text).map((event) => event.auditID), ["1", "2"]);
  assert.deepEqual(parseAuditLog('{"audi'), []);
  assert.deepEqual(parseAuditLog(""), []);
});
