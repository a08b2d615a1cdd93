/** The LeaseCandidate of a process, on a clock that the test moves. */
import assert from "node:assert/strict";
import { FakeClock } from "../../testing/fake_clock.ts";
import { records } from "../../cache/informer/log_records_test.ts";
import type { DeleteOptions } from "../../client/calls/options.ts";
import { ApiError } from "../../client/errors/api_error.ts";
import {
  type CandidateClient,
  checkCoordinated,
  LeaseCandidacy,
  type LeaseCandidacyOptions,
} from "./lease_candidacy.ts";

/** A server with the LeaseCandidate of one process. */
class CandidateServer {
  /** The spec of the LeaseCandidate; `undefined` while there is none. */
  spec: Record<string, string> | undefined;
  /** Reports whether the server serves LeaseCandidates. */
  serves = true;
  /** The UID of the LeaseCandidate that is created next. */
  uid = 1;
  /** The verbs of the calls. */
  readonly verbs: string[] = [];

  get client(): CandidateClient {
    const call = async <T>(verb: string, act: () => T): Promise<T> => {
      await Promise.resolve();
      this.verbs.push(verb);
      if (!this.serves) throw new ApiError({ status: { code: 404, message: "no such path" } });
      if (verb !== "create" && !this.spec) {
        throw new ApiError({ status: { code: 404, message: "gone", details: { name: "web-0" } } });
      }
      return structuredClone(act());
    };
    const store = (_: unknown, object: { spec: Record<string, string> }) => {
      const verb = this.spec ? "update" : "create";
      return call(verb, () => {
        this.spec = structuredClone(object.spec);
        return { metadata: { name: "web-0", uid: `${this.uid}` }, spec: this.spec };
      });
    };
    return {
      get: () =>
        call("get", () => ({ metadata: { name: "web-0", uid: `${this.uid}` }, spec: this.spec })),
      create: store,
      update: store,
      delete: (_: unknown, _key: string, { preconditions }: DeleteOptions) =>
        call("delete", () => {
          if (preconditions?.uid !== `${this.uid}`) {
            throw new ApiError({ status: { code: 409, reason: "Conflict" } });
          }
          this.spec = undefined;
        }),
    } as unknown as CandidateClient;
  }
}

function setUp(
  coordinated: LeaseCandidacyOptions["coordinated"] = { binaryVersion: "1.4.2" },
): { server: CandidateServer; clock: FakeClock; candidacy: LeaseCandidacy } {
  const server = new CandidateServer();
  const clock = new FakeClock();
  const candidacy = new LeaseCandidacy({
    client: server.client,
    namespace: "shop",
    name: "web",
    identity: "web-0",
    coordinated,
    retryPeriodMs: 2_000,
    clock,
  });
  return { server, clock, candidacy };
}

Deno.test("lease candidate: it names versions and strategy, is created again, and is deleted at the end", async () => {
  const { server, clock, candidacy } = setUp({ binaryVersion: "1.4.2", emulationVersion: "1.3.0" });
  candidacy.start();
  await clock.settle();
  assert.deepEqual(server.spec, {
    leaseName: "web",
    binaryVersion: "1.4.2",
    emulationVersion: "1.3.0",
    strategy: "OldestEmulationVersion",
    renewTime: "2026-01-01T00:00:00.000000Z",
  });
  server.spec = undefined;
  await clock.advance(2_000);
  assert.equal((server.spec as unknown as { leaseName: string }).leaseName, "web");
  await candidacy.stop();
  assert.equal(server.spec, undefined);
  assert.equal(clock.pending, 0);
});

Deno.test("lease candidate: one that another process has created again is not deleted at the end", async () => {
  await using log = await records();
  const { server, clock, candidacy } = setUp();
  candidacy.start();
  await clock.settle();
  server.uid++;
  await candidacy.stop();
  assert.equal(server.verbs.at(-1), "delete");
  assert.equal(server.spec?.leaseName, "web");
  assert.equal(log.text("warning"), "");
});

Deno.test("lease candidate: it answers a ping within two seconds, also by a clock that is behind, and else renews rarely", async () => {
  const { server, clock, candidacy } = setUp();
  candidacy.start();
  await clock.advance(60_000);
  assert.deepEqual([...new Set(server.verbs)], ["get", "create"]);
  const pingTime = "2026-01-01T02:00:00.000000Z";
  server.spec = { ...server.spec, pingTime };
  await clock.advance(2_000);
  assert.equal(server.spec.renewTime, "2026-01-01T02:00:00.001000Z");
  assert.equal(server.spec.pingTime, pingTime);
  server.verbs.length = 0;
  await clock.advance(20_000);
  assert(!server.verbs.includes("update"), "an answered ping was answered again");
  await clock.advance(300_000);
  assert.equal(server.verbs.filter((verb) => verb === "update").length, 1);
  await candidacy.stop();
});

Deno.test("lease candidate: a server that serves none is asked once", async () => {
  const { server, clock, candidacy } = setUp();
  server.serves = false;
  candidacy.start();
  await clock.advance(60_000);
  assert(candidacy.unsupported);
  await candidacy.stop();
  candidacy.start();
  await clock.advance(60_000);
  assert.deepEqual(server.verbs, ["get"]);
});

Deno.test("lease candidate: versions that the server would refuse are refused by name", () => {
  for (const version of ["1.4", "v1.4.2", "", "latest"]) {
    assert.throws(
      () => checkCoordinated({ binaryVersion: version }),
      /binaryVersion is ".*"; give/,
    );
  }
  assert.throws(
    () => checkCoordinated({ binaryVersion: "1.4.2", emulationVersion: "1.10.0" }),
    /emulationVersion \(1\.10\.0\) must not be above binaryVersion \(1\.4\.2\)/,
  );
  checkCoordinated({ binaryVersion: "1.10.0-rc.1+build", emulationVersion: "1.9.0" });
});
