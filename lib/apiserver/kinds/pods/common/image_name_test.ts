import assert from "node:assert/strict";
import { defaultPullPolicy, imageTag } from "./image_name.ts";

Deno.test("an image without tag and digest has the tag latest", () => {
  assert.equal(imageTag("nginx"), "latest");
  assert.equal(imageTag("localhost:5000/a/nginx"), "latest");
  assert.equal(imageTag("nginx:1.29"), "1.29");
  assert.equal(imageTag(`nginx@sha256:${"0".repeat(64)}`), "");
});

Deno.test("the default pull policy is Always for the tag latest, IfNotPresent for an invalid image name", () => {
  assert.equal(defaultPullPolicy("nginx"), "Always");
  assert.equal(defaultPullPolicy("nginx:latest"), "Always");
  assert.equal(defaultPullPolicy("nginx:1"), "IfNotPresent");
  assert.equal(defaultPullPolicy("NGINX//x"), "IfNotPresent");
});
