import assert from "node:assert/strict";
import type { V1Secret, V1ServiceAccount } from "@xca/apimachinery/kubernetes-types";
import { ServiceAccount } from "@xca/apimachinery/meta";
import { mergePatch } from "../../client/typed/patch.ts";
import { reconcileOnce } from "../../controller/mod.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { tokenReferenceController } from "./reference_controller.ts";

const ROBOT = "default/robot";
const SECRETS = [{ name: "token" }, { name: "x" }];

function tokenSecret(name: string): V1Secret {
  const annotations = { "kubernetes.io/service-account.name": "robot" };
  return {
    metadata: { name, namespace: "default", annotations },
    type: "kubernetes.io/service-account-token",
  };
}

Deno.test("a token Secret that is deleted while its earlier reference is removed loses its new one too", async () => {
  await using server = await ApiServer.start();
  using admin = clientOf(server);
  const controller = tokenReferenceController();
  const watched = controller.sources.find(({ relation }) => relation === "watches")!;
  const deleted = (name: string): unknown =>
    watched.map({ object: tokenSecret(name) } as never, {} as never);
  let updates = 0;
  using client = clientOf(server, {
    through: (fetch) => async (request) => {
      const response = await fetch(request);
      if (request.method === "PUT" && updates++ === 0) {
        await admin.patch(
          ServiceAccount,
          ROBOT,
          mergePatch<V1ServiceAccount>({ secrets: SECRETS }),
        );
        deleted("token");
      }
      return response;
    },
  });
  await admin.create(ServiceAccount, {
    metadata: { name: "robot", namespace: "default" },
    secrets: SECRETS,
  });
  deleted("token");
  await reconcileOnce(controller, ROBOT, { client });
  await reconcileOnce(controller, ROBOT, { client });
  assert.deepEqual((await admin.get(ServiceAccount, ROBOT)).secrets, [{ name: "x" }]);
});

Deno.test("a reference that the cache does not show yet is removed", async () => {
  await using server = await ApiServer.start();
  await using earlier = await ApiServer.start();
  using admin = clientOf(server);
  using client = clientOf(server, {
    through: (fetch) => async (request) =>
      new URL(request.url).pathname.endsWith("/serviceaccounts")
        ? await earlier.fetch(request)
        : await fetch(request),
  });
  const controller = tokenReferenceController();
  const watched = controller.sources.find(({ relation }) => relation === "watches")!;
  await admin.create(ServiceAccount, {
    metadata: { name: "robot", namespace: "default" },
    secrets: SECRETS,
  });
  await watched.map({ object: tokenSecret("token") } as never, {} as never);
  await reconcileOnce(controller, ROBOT, { client });
  assert.deepEqual((await admin.get(ServiceAccount, ROBOT)).secrets, [{ name: "x" }]);
});
