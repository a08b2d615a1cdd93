import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import type { V1Secret } from "@xca/apimachinery/kubernetes-types";
import { ConfigMap, formatTime, Pod, Secret, ServiceAccount } from "@xca/apimachinery/meta";
import type { Client } from "../../client/mod.ts";
import { mergePatch } from "../../client/typed/patch.ts";
import { defineOperator } from "../../controller/operator/operator.ts";
import type { OperatorHandle } from "../../controller/ports/operator_progress.ts";
import { runOperator } from "../../controller/operator/run_operator.ts";
import { dropCall } from "../../testing/faults/faults.ts";
import { ApiServer, clientOf } from "../../testing/mod.ts";
import { podOf } from "../../../tests/support/in_process/living_cluster.ts";
import { tokenCleaner } from "./token_cleaner.ts";

const DAY_MS = 86_400_000;
const TRACKING = "kube-apiserver-legacy-service-account-token-tracking";
const INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
const LAST_USED = "kubernetes.io/legacy-token-last-used";

interface Fixture extends AsyncDisposable {
  readonly client: Client;
  readonly clock: FakeClock;
  /** Advances the clock by a number of days. */
  days(count: number): Promise<void>;
  /** Returns the names of the Secrets, with a mark for invalid ones. */
  secrets(): Promise<string[]>;
}

/** A crash of the cleaner at one of its writes. */
interface Crash {
  /** The write, counted from 1. */
  readonly write: number;
  /** Reports whether the crash loses the request or its response. */
  readonly moment: "before" | "after";
  /** Reports whether the cleaner has crashed and was not restarted. */
  isDead: boolean;
  /** Reports whether the cleaner was restarted after the crash. */
  isOver: boolean;
}

/**
 * Starts a cleaner on a server. After a crash at one of its writes, none of its requests reaches
 * the server.
 */
async function startCleaner(
  server: ApiServer,
  clock: FakeClock,
  crash?: Crash,
): Promise<OperatorHandle> {
  let writes = 0;
  const client = clientOf(server, {
    clock,
    through: (fetch) => async (request) => {
      if (crash?.isDead) throw new TypeError("The process of the cleaner is gone");
      if (request.method === "GET" || ++writes !== crash?.write) return await fetch(request);
      crash.isDead = true;
      return await dropCall(crash.moment)(request, fetch, { clock });
    },
  });
  const controllers = [tokenCleaner({ cleanUpDays: 1 })];
  const operator = runOperator(defineOperator({ name: "cleaner", controllers }), {
    client,
    clock,
    random: seededRandom(1),
  });
  await operator.ready;
  return operator;
}

/**
 * Starts the cleaner with a clean-up time of one day, in a namespace with the service account
 * `robot`.
 */
async function fixture(listed: readonly string[], crash?: Crash): Promise<Fixture> {
  await using stack = new AsyncDisposableStack();
  const clock = new FakeClock();
  const random = seededRandom(1);
  const server = stack.use(await ApiServer.start({ clock, random }));
  const client = stack.use(clientOf(server, { clock }));
  await client.create(ServiceAccount, {
    metadata: { name: "robot", namespace: "default" },
    secrets: listed.map((name) => ({ name })),
  });
  let operator = await startCleaner(server, clock, crash);
  const stop = async (): Promise<void> => {
    const stopped = operator.stop();
    await clock.advance(6000);
    await stopped;
  };
  stack.defer(stop);
  const ending = stack.move();
  return {
    client,
    clock,
    days: async (count) => {
      for (let day = 0; day < count; day++) {
        await clock.advance(DAY_MS);
        if (!crash?.isDead) continue;
        await stop();
        operator = await startCleaner(server, clock);
        Object.assign(crash, { isDead: false, isOver: true });
      }
    },
    secrets: async () =>
      (await client.list(Secret)).items.map(({ metadata: { name, labels } }) =>
        labels?.[INVALID_SINCE] ? `${name} (invalid)` : name!
      ),
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

async function createToken({ client }: Fixture, name: string, more: Partial<V1Secret> = {}) {
  const annotations = { "kubernetes.io/service-account.name": "robot" };
  const metadata = { name, namespace: "default", annotations, ...more.metadata };
  const type = "kubernetes.io/service-account-token";
  await client.create(Secret, { type, ...more, metadata });
}

/** Stores today as the date since which the API server tracks the use of tokens. */
async function track({ client, clock }: Fixture): Promise<void> {
  const metadata = { name: TRACKING, namespace: "kube-system" };
  const since = formatTime(clock.now()).slice(0, 10);
  await client.create(ConfigMap, { metadata, data: { since } });
}

Deno.test("an unused token that its account lists is marked as invalid, and deleted later", async () => {
  await using f = await fixture(["auto"]);
  await track(f);
  await createToken(f, "auto");
  await createToken(f, "manual");
  await f.days(1);
  assert.deepEqual(await f.secrets(), ["auto", "manual"]);
  await f.days(2);
  assert.deepEqual(await f.secrets(), ["auto (invalid)", "manual"]);
  await f.days(3);
  assert.deepEqual(await f.secrets(), ["manual"]);
});

Deno.test("a crash of the cleaner at any write leads to the same state", async () => {
  for (const write of [1, 2]) {
    for (const moment of ["before", "after"] as const) {
      const crash: Crash = { write, moment, isDead: false, isOver: false };
      await using f = await fixture(["auto"], crash);
      await track(f);
      await createToken(f, "auto");
      await createToken(f, "manual");
      await f.days(7);
      assert(crash.isOver, `write ${write} was never made`);
      assert.deepEqual(await f.secrets(), ["manual"], `${moment} write ${write}`);
    }
  }
});

Deno.test("a token is kept while a pod refers to it, or a request has used it", async () => {
  await using f = await fixture(["mounted", "used", "odd"]);
  await track(f);
  for (const name of ["mounted", "used", "odd"]) await createToken(f, name);
  const volumes = [{ name: "v", secret: { secretName: "mounted" } }];
  await f.client.create(Pod, podOf("user", { volumes }));
  const use = async (name: string, day: string): Promise<void> => {
    const patch = mergePatch({ metadata: { labels: { [LAST_USED]: day } } });
    await f.client.patch(Secret, `default/${name}`, patch);
  };
  await use("odd", "yesterday");
  for (let day = 0; day < 6; day++) {
    await use("used", formatTime(f.clock.now()).slice(0, 10));
    await f.days(1);
  }
  assert.deepEqual(await f.secrets(), ["mounted", "odd", "used"]);
});

Deno.test("where no server tracks the use of tokens, the time begins with the first look", async () => {
  await using f = await fixture(["auto"]);
  await createToken(f, "auto");
  await f.days(2);
  const { data } = await f.client.get(ConfigMap, `kube-system/${TRACKING}`);
  assert.match(data?.["since"] ?? "", /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(await f.secrets(), ["auto"]);
  await f.days(3);
  assert.deepEqual(await f.secrets(), ["auto (invalid)"]);
});
