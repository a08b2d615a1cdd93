import assert from "node:assert/strict";
import { internalForm } from "./internal_form.ts";

Deno.test("what is absent is spelled out", () => {
  assert.deepEqual(internalForm("DeploymentStrategy", { type: "x" }), {
    Type: "x",
    RollingUpdate: null,
  });
  assert.deepEqual(internalForm("ContainerPort", { containerPort: 80 }), {
    Name: "",
    HostPort: 0,
    ContainerPort: 80,
    Protocol: "",
    HostIP: "",
  });
});

Deno.test("namespaces of the node that a pod shares stand beside its security context", () => {
  const { HostNetwork, SecurityContext } = internalForm("PodSpec", { hostNetwork: true });
  assert.equal(HostNetwork, true);
  assert.equal(SecurityContext, null);
});

Deno.test("metadata of a template stands beside its spec", () => {
  const form = internalForm("PodTemplateSpec", { metadata: { labels: { b: "1", a: "2" } } });
  assert.deepEqual(Object.keys(form), ["labels", "Spec"]);
  assert.equal(JSON.stringify(form["labels"]), '{"a":"2","b":"1"}');
});
