/** A write of a deposed leader that the network held back, and that the server receives late. */
import assert from "node:assert/strict";
import { ConfigMap, Namespace } from "../../../lib/apimachinery/meta/mod.ts";
import { type Client, createClient } from "../../../lib/client/mod.ts";
import { controllerFor, defineOperator } from "../../../lib/controller/mod.ts";
import {
  LeaderElector,
  LeadershipLostError,
  runElectedOperator,
} from "../../../lib/manager/mod.ts";
import { FakeClock, FaultProxy } from "../../../lib/testing/mod.ts";
import type { AuditEvent } from "../../../lib/testing/plane/audit_log.ts";
import type { Plane } from "../../support/planes/plane.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const TIMING = { leaseDurationMs: 5_000, renewDeadlineMs: 4_000, retryPeriodMs: 500 };
const namespace = "late-write";
/** The delay of the network by its clock, which the test moves. */
const DELAY_MS = 60_000;

const suite = planeSuite({ audit: true });

suite.test("F37 a write that was in flight and arrives after the successor has begun changes only what nobody else has changed", async (plane) => {
  const network = new FakeClock();
  await using proxy = FaultProxy.start({ target: plane.url, clock: network });
  const server = proxy.urlOf(plane.url);
  using held = createClient({ ...plane.config, server, userAgent: "deposed" });
  using direct = createClient({ ...plane.config, userAgent: "successor" });
  await direct.create(Namespace, { metadata: { name: namespace } });
  for (const name of ["mine", "shared"]) {
    await direct.create(ConfigMap, { metadata: { namespace, name }, data: { by: "nobody" } });
  }
  const wrote = Promise.withResolvers<void>();
  const deposed = runElectedOperator(writerOf(proxy, () => wrote.resolve()), {
    client: held,
    namespace,
    leaderElection: { namespace, name: "web", identity: "deposed", ...TIMING },
  });
  await wrote.promise;
  await assert.rejects(deposed.done, LeadershipLostError);

  const identity = "successor";
  const elector = new LeaderElector({
    client: direct,
    namespace,
    name: "web",
    identity,
    ...TIMING,
  });
  await elector.run(async () => {
    const shared = await direct.get(ConfigMap, `${namespace}/shared`);
    await direct.update(ConfigMap, { ...shared, data: { by: "successor" } });
    // The writes arrive; that the client has closed its connections arrives later.
    await network.advance(DELAY_MS);
    assert.deepEqual(await codesOf(plane), new Map([["mine", 200], ["shared", 409]]));
    assert.equal(await writerIn(direct, "mine"), "deposed");
    assert.equal(await writerIn(direct, "shared"), "successor");
  });
});

/** Starts an operator whose two writes the network delays. */
function writerOf(proxy: FaultProxy, onWrite: () => void): ReturnType<typeof defineOperator> {
  let ran = false;
  const controller = controllerFor(ConfigMap).reconcile(async ({ client }) => {
    if (ran) return;
    ran = true;
    const read = (name: string) => client.get(ConfigMap, `${namespace}/${name}`);
    // Several reads at once leave connections for the writes, since none can be opened afterwards.
    const [mine, shared] = await Promise.all(
      ["mine", "shared", "mine", "mine", "mine", "mine"].map(read),
    );
    proxy.delay(DELAY_MS);
    const writes = [mine!, shared!].map((map) =>
      client.update(ConfigMap, { ...map, data: { by: "deposed" } })
    );
    onWrite();
    await Promise.all(writes);
  });
  return defineOperator({ name: "late", controllers: [controller] });
}

/** Returns the codes of the writes of the deposed leader by object, once the server has both. */
async function codesOf(plane: Plane): Promise<Map<string, number>> {
  const isLate = ({ verb, userAgent, objectRef, stage }: AuditEvent): boolean =>
    verb === "update" && userAgent === "deposed" && objectRef?.resource === "configmaps" &&
    stage === "ResponseComplete";
  let late: AuditEvent[] = [];
  await until(
    async () => (late = (await plane.auditEvents()).filter(isLate)).length === 2,
    () => `two late writes in the audit log, not ${late.length}`,
  );
  late.sort((a, b) => a.objectRef!.name!.localeCompare(b.objectRef!.name!));
  return new Map(late.map((each) => [each.objectRef!.name!, each.responseStatus!.code!]));
}

async function writerIn(client: Client, name: string): Promise<string | undefined> {
  return (await client.get(ConfigMap, `${namespace}/${name}`)).data?.by;
}
