import assert from "node:assert/strict";
import { ApiError } from "../lib/client/mod.ts";
import type { GlobalFlags } from "./global_flags.ts";
import { reportError } from "./report_error.ts";

const FORBIDDEN = new ApiError({ status: { code: 403, reason: "Forbidden", message: "no" } });

Deno.test("a forbidden user is advised to list the rights of that user in that namespace", () => {
  const cases: [GlobalFlags, string][] = [
    [{}, ""],
    [{ as: "jane", asGroup: ["a", "b c"] }, " --as jane --as-group a --as-group 'b c'"],
    [{ namespace: "shop", context: "far", v: 2 }, " --context far --namespace shop"],
    [{ master: "http://a:1" }, " --server http://a:1"],
    [{ server: "http://a:1", master: "http://a:1" }, " --server http://a:1"],
    [{ token: "secret", insecureSkipTlsVerify: true }, " --token TOKEN --insecure-skip-tls-verify"],
  ];
  for (const [flags, words] of cases) {
    const { text, code } = reportError(FORBIDDEN, "kubectl xca status", flags);
    assert.equal(code, 1);
    const asked = `See what you may do: kubectl auth can-i --list${words}`;
    assert.equal(text, `Error from server (Forbidden): no\n${asked}`);
  }
});
