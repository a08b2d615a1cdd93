import assert from "node:assert/strict";
import { networkBytes, processLimits } from "./process_files.ts";

function withText<T>(text: string, read: () => T): T {
  const { readTextFileSync } = Deno;
  Deno.readTextFileSync = () => text;
  try {
    return read();
  } finally {
    Deno.readTextFileSync = readTextFileSync;
  }
}

Deno.test("processLimits() reads numbers, no limit, and leaves out a limit that the kernel does not list", () => {
  const text = "Limit                     Soft Limit           Hard Limit           Units\n" +
    "Max open files            1024                 524288               files\n";
  assert.deepEqual(withText(text, processLimits), { openFiles: 1024, addressSpace: undefined });
  const all = `${text}Max address space         unlimited            unlimited            bytes\n`;
  assert.deepEqual(withText(all, processLimits), { openFiles: 1024, addressSpace: 2 ** 64 });
});

Deno.test("networkBytes() leaves out a number that the kernel does not list", () => {
  assert.deepEqual(
    withText("IpExt: InOctets OutOctets\nIpExt: 10 20\n", networkBytes),
    { received: 10, sent: 20 },
  );
  const none = { received: undefined, sent: undefined };
  assert.deepEqual(withText("IpExt: InNoRoutes\nIpExt: 1\n", networkBytes), none);
  assert.deepEqual(withText("TcpExt: SyncookiesSent\nTcpExt: 0\n", networkBytes), none);
});
