import assert from "node:assert/strict";
import { refusal } from "../../../tests/support/in_process/fake_cluster.ts";
import type { ImpersonateConfig } from "../../client/config/config.ts";
import { refusalAdvice } from "./refusal_advice.ts";

const AT_N = 'in API group "" in the namespace "n"';
const SA = "system:serviceaccount:n:op";

function adviceOn(message: string, impersonate?: ImpersonateConfig): string | undefined {
  return refusalAdvice(refusal(403, "Forbidden", message), impersonate);
}

for (
  const [what, said, command] of [
    [
      "in a namespace",
      `configmaps is forbidden: User "jane" cannot create resource "configmaps" ${AT_N}`,
      "create configmaps -n n",
    ],
    [
      "of a group, on one object, with a reason behind it",
      'xcas.apps.xca.k8s.kb.cx "a" is forbidden: User "jane" cannot patch resource "xcas" in API ' +
      'group "apps.xca.k8s.kb.cx" in the namespace "n": RBAC: role "x" not found',
      "patch xcas.apps.xca.k8s.kb.cx -n n",
    ],
    [
      "on a subresource",
      'deployments.apps "a" is forbidden: User "jane" cannot update resource "deployments/status" ' +
      'in API group "apps" in the namespace "n"',
      "update deployments.apps --subresource=status -n n",
    ],
    [
      "at the cluster scope",
      'pods is forbidden: User "jane" cannot list resource "pods" in API group "" at the cluster scope',
      "list pods -A",
    ],
    [
      "on a path",
      'forbidden: User "jane" cannot get path "/metrics"',
      "get /metrics",
    ],
    [
      "for a service account, which is asked for",
      `pods is forbidden: User "${SA}" cannot list resource "pods" ${AT_N}`,
      `list pods -n n --as=${SA}`,
    ],
  ] as const
) {
  Deno.test(`a missing right ${what} is described with the command that asks for it`, () => {
    assert.equal(
      adviceOn(said),
      `grant that right, then check: kubectl auth can-i ${command}`,
    );
  });
}

Deno.test("the command for an impersonated user asks as that user", () => {
  const said = `pods is forbidden: User "jane" cannot list resource "pods" ${AT_N}`;
  assert.match(
    adviceOn(said, { user: "jane", groups: ["dev", "ops"] })!,
    /can-i list pods -n n --as=jane --as-group=dev --as-group=ops$/,
  );
  // The command is for the impersonated user.
  assert.match(adviceOn(said, { user: "bob" })!, /can-i list pods -n n$/);
});

Deno.test("a name that needs quoting in a shell gets no command", () => {
  const said = (user: string, resource: string): string =>
    `pods is forbidden: User "${user}" cannot list resource "${resource}" ${AT_N}`;
  assert.equal(adviceOn(said(`${SA};ls`, "pods")), "grant that right");
  assert.equal(adviceOn(said("$(ls)", "pods"), { user: "$(ls)" }), "grant that right");
  assert.equal(adviceOn(said("jane", "--all")), undefined);
  assert.equal(adviceOn(said("jane", "$(ls)")), undefined);
});

Deno.test("other refusals get no advice, except unknown credentials", () => {
  assert.equal(adviceOn('pods "a" is forbidden: exceeded quota: small'), undefined);
  assert.equal(adviceOn('admission webhook "x" denied the request: no'), undefined);
  assert.equal(refusalAdvice(refusal(404, "NotFound", "no"), undefined), undefined);
  assert.equal(refusalAdvice(new Error("no"), undefined), undefined);
  assert.match(
    refusalAdvice(refusal(401, "Unauthorized", "Unauthorized"), undefined)!,
    /does not know these credentials: renew the token/,
  );
});
