/** The demo without any cluster: what it says, and that it ends by itself where nobody sits. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

Deno.test("the demo needs no cluster: it brings one, activates its objects, and says how to look", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", fileURLToPath(new URL("demo.ts", import.meta.url))],
    env: { KUBECONFIG: "" },
    stdin: "null",
  }).output();
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  assert.equal(code, 0, decode(stderr));
  assert.equal(decode(stderr), "");
  const said = decode(stdout);
  assert.match(said, /^\* Started an API server in this process: https:\/\/127\.0\.0\.1:\d+\n/);
  assert.match(said, /\* 3 objects reconciled, 0 failed\n/);
  assert.match(said, /\nvenus +venus +true /);
  assert.match(said, /\nexport KUBECONFIG=\S+\nkubectl get xcas -n xca-demo\n/);
  assert.match(said, /\* Took it all away again\n$/);
});
