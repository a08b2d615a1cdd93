import assert from "node:assert/strict";
import { defaultPullPolicy, imageTag } from "./image_name.ts";

Deno.test("an image without tag and digest is the latest", () => {
  assert.equal(imageTag("nginx"), "latest");
  assert.equal(imageTag("localhost:5000/a/nginx"), "latest");
  assert.equal(imageTag("nginx:1.29"), "1.29");
  assert.equal(imageTag(`nginx@sha256:${"0".repeat(64)}`), "");
});

Deno.test("the latest image is pulled always, what is no image's name is not", () => {
  assert.equal(defaultPullPolicy("nginx"), "Always");
  assert.equal(defaultPullPolicy("nginx:latest"), "Always");
  assert.equal(defaultPullPolicy("nginx:1"), "IfNotPresent");
  assert.equal(defaultPullPolicy("NGINX//x"), "IfNotPresent");
});
