/** Tests of the error of a test run whose control plane is missing. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

Deno.test("a wrong KUBEBUILDER_ASSETS fails a test run once, not in every test", async () => {
  const files = ["./control_plane_test.ts", "../../examples/02_xca_test.ts"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--filter", "/kubectl|example/"].concat(
      files.map((file) => fileURLToPath(new URL(file, import.meta.url))),
    ),
    env: {
      NO_COLOR: "1",
      XCA_TEST_SERVERS: "real",
      KUBEBUILDER_ASSETS: "/nowhere",
      XCA_CONTROL_PLANE_FAILED: "",
    },
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 1, said);
  assert.match(said, /\| 0 passed \| 1 failed \|/);
  const why = /no etcd and no kube-apiserver in KUBEBUILDER_ASSETS \(\/nowhere\); point it at/;
  assert.match(said, why);
});
