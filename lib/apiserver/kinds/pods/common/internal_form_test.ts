import assert from "node:assert/strict";
import { internalForm } from "./internal_form.ts";

Deno.test("the internal form has zero values for absent fields", () => {
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

Deno.test("the internal form has the host network beside the security context", () => {
  const { HostNetwork, SecurityContext } = internalForm("PodSpec", { hostNetwork: true });
  assert.equal(HostNetwork, true);
  assert.equal(SecurityContext, null);
});

Deno.test("the internal form embeds the metadata of a template", () => {
  const form = internalForm("PodTemplateSpec", { metadata: { labels: { b: "1", a: "2" } } });
  assert.deepEqual(Object.keys(form), ["labels", "Spec"]);
  assert.equal(JSON.stringify(form["labels"]), '{"a":"2","b":"1"}');
});
