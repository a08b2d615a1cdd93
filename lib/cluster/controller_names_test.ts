import assert from "node:assert/strict";
import { API_SERVER_CONTROLLERS } from "@xca/apiserver";
import { currentControllerNames } from "./controller_names.ts";
import { CLUSTER_CONTROLLERS, selectedControllers } from "./controllers.ts";

Deno.test("controllers have their older names of kube-controller-manager too", () => {
  const older = ["podgc", "-job", "garbagecollector", "*", "scheduler", "constructor"];
  const current = ["pod-garbage-collector-controller", "-job-controller"];
  assert.deepEqual(currentControllerNames(older).slice(0, 2), current);
  assert(API_SERVER_CONTROLLERS.includes(currentControllerNames(older)[2]!));
  assert.deepEqual(currentControllerNames(older).slice(3), older.slice(3));
  assert.deepEqual(selectedControllers(["*", "-job"]).length, CLUSTER_CONTROLLERS.length - 1);
});

Deno.test("of a controller that is selected and left out the first mention counts", () => {
  assert.deepEqual(selectedControllers(["job", "kubelet", "-job-controller", "-kubelet"]), [
    "job-controller",
    "kubelet",
  ]);
  assert.throws(() => selectedControllers(["-job", "job"]), /selects none/);
});

Deno.test("a list of controllers that is none is refused", () => {
  for (const list of ["*", null, [1], {}]) {
    assert.throws(() => selectedControllers(list as never), {
      name: "TypeError",
      message: 'Cannot start controllers: give a list of their names, such as ["*", "-kubelet"]',
    });
  }
});
