// Mirrors k8s.io/client-go/tools/leaderelection/leasecandidate.go, LeaseCandidate.
import { getLogger } from "@logtape/logtape";
import { type Clock, delay, errorText, systemClock } from "@xca/apimachinery/base";
import type { V1ObjectMeta } from "@xca/apimachinery/kubernetes-types";
import { formatMicroTime, type ResourceType, resourceType } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import { ApiError, isConflict, isNotFound } from "../../client/errors/api_error.ts";

const logger = getLogger(["xca", "manager", "leader-election"]);

/**
 * The options of a coordinated election, in which the API server chooses the leader (KEP 4355,
 * feature `CoordinatedLeaderElection`).
 */
export interface CoordinatedElection {
  /** The version of the candidate's program, a semantic version such as `1.4.2`. */
  readonly binaryVersion: string;
  /**
   * The version that the candidate's program emulates; not above `binaryVersion`.
   *
   * @default {binaryVersion}
   */
  readonly emulationVersion?: string | undefined;
  /**
   * The strategy by which the server chooses the leader. `OldestEmulationVersion`: the lowest
   * emulation version, then the lowest binary version, then the oldest candidate. With another
   * strategy, another controller must choose.
   *
   * @default {"OldestEmulationVersion"}
   */
  readonly strategy?: string | undefined;
}

/** The functions of a client by which an elector reads and writes a Lease and a LeaseCandidate. */
export type CandidateClient =
  & Pick<Client, "get" | "create" | "update">
  & Partial<Pick<Client, "delete">>;

/**
 * Options for {@linkcode LeaseCandidacy}, the candidacy of this process in a coordinated election.
 */
export interface LeaseCandidacyOptions {
  /** The client that reads and writes the LeaseCandidate. */
  readonly client: CandidateClient;
  /** The namespace of the election's Lease. */
  readonly namespace: string;
  /** The name of the election's Lease. */
  readonly name: string;
  /** The identity of this process, which is the name of its LeaseCandidate. */
  readonly identity: string;
  /** The versions of the candidate's program, and the strategy of the election. */
  readonly coordinated: CoordinatedElection;
  /**
   * The retry period of the election, in milliseconds: the interval between reads of the
   * LeaseCandidate, if below two seconds, and the timeout of its deletion.
   */
  readonly retryPeriodMs: number;
  /** The clock of the candidacy. @default {systemClock} */
  readonly clock?: Clock | undefined;
}

/** An object of the kind `LeaseCandidate` of `coordination.k8s.io/v1beta1`. */
interface V1beta1LeaseCandidate {
  apiVersion?: string;
  kind?: string;
  metadata: V1ObjectMeta;
  spec?: {
    leaseName?: string;
    pingTime?: string;
    renewTime?: string;
    binaryVersion?: string;
    emulationVersion?: string;
    strategy?: string;
  };
}

const LeaseCandidate: ResourceType<V1beta1LeaseCandidate> = resourceType<V1beta1LeaseCandidate>({
  group: "coordination.k8s.io",
  version: "v1beta1",
  kind: "LeaseCandidate",
  plural: "leasecandidates",
  scope: "Namespaced",
});

/**
 * The longest interval between reads of the LeaseCandidate, in milliseconds: the server waits five
 * seconds for the response to a ping. Also the timeout of each request except the deletion.
 */
const MAX_PERIOD_MS = 2_000;
/**
 * The interval at which a candidate renews its LeaseCandidate without a ping, in milliseconds:
 * `requeueInterval`.
 */
const RENEW_MS = 5 * 60_000;

/**
 * The maintainer of this process's LeaseCandidate: the class creates the object, renews it every
 * five minutes and as the response to pings of the server, and deletes it at the end.
 *
 * The class polls the object, so that it needs no permission to list or watch.
 */
export class LeaseCandidacy {
  readonly #options: LeaseCandidacyOptions;
  readonly #clock: Clock;
  #stop: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();
  #unsupported = false;
  #renewedMs = 0;
  /** The UID of the LeaseCandidate, as last seen; `undefined` before the first response. */
  #uid: string | undefined;
  #lastFailure = "";

  /**
   * Creates a candidacy in a coordinated election; {@linkcode LeaseCandidacy.start} creates the
   * LeaseCandidate.
   */
  constructor(options: LeaseCandidacyOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Reports whether the API server answered that it has no resource LeaseCandidate; `false` before
   * the first response.
   */
  get unsupported(): boolean {
    return this.#unsupported;
  }

  /**
   * Starts to create and renew the LeaseCandidate in the background, unless that has been started
   * or the server is known to lack the resource.
   */
  start(): void {
    if (this.#stop || this.#unsupported) return;
    this.#stop = new AbortController();
    this.#running = this.#run(this.#stop.signal);
  }

  /**
   * Withdraws the candidacy by deleting the LeaseCandidate, so that the server does not choose this
   * process; never rejects. A LeaseCandidate that another process has created again under the same
   * name is left alone; a client without `delete` leaves the LeaseCandidate to the server.
   */
  async stop(): Promise<void> {
    if (!this.#stop) return;
    this.#stop.abort();
    this.#stop = undefined;
    await this.#running;
    if (this.#unsupported) return;
    // A LeaseCandidate that stays, as after a lost response, is deleted by the server after half an
    // hour.
    if (this.#uid === undefined) return;
    await this.#options.client.delete?.(LeaseCandidate, this.#key, {
      timeoutMs: this.#options.retryPeriodMs,
      preconditions: { uid: this.#uid },
    }).catch((error) => {
      if (!isNotFound(error) && !isConflict(error)) this.#failed("delete", error);
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    const periodMs = Math.min(this.#options.retryPeriodMs, MAX_PERIOD_MS);
    while (!signal.aborted && !this.#unsupported) {
      try {
        await this.#keep(signal);
        this.#lastFailure = "";
      } catch (error) {
        if (!signal.aborted) this.#failed("keep", error);
      }
      await delay(periodMs, { clock: this.#clock, signal }).catch(() => {});
    }
  }

  /** Creates or renews the LeaseCandidate if that is due: `LeaseCandidate.ensureLease`. */
  async #keep(signal: AbortSignal): Promise<void> {
    const { client } = this.#options;
    const call = { signal, timeoutMs: MAX_PERIOD_MS };
    let found: V1beta1LeaseCandidate;
    try {
      found = await client.get(LeaseCandidate, this.#key, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (!isUnserved(error)) return await this.#create(call);
      this.#unsupported = true;
      return logger.warn(
        "the server does not coordinate elections: it serves no leasecandidates of " +
          "coordination.k8s.io/v1beta1; the candidates of {lease} elect a leader among themselves",
        { lease: `${this.#options.namespace}/${this.#options.name}` },
      );
    }
    this.#uid = found.metadata.uid;
    const { pingTime, renewTime = "" } = found.spec ?? {};
    const isPinged = pingTime !== undefined && !(Date.parse(renewTime) >= Date.parse(pingTime));
    if (!isPinged && this.#clock.monotonicMs() - this.#renewedMs < RENEW_MS) return;
    // The clock of the server may be ahead: an answer must not look older than its ping.
    const nowMs = Math.max(this.#clock.now().getTime(), pingTime ? Date.parse(pingTime) + 1 : 0);
    const spec = { ...this.#spec(), ...found.spec, renewTime: formatMicroTime(new Date(nowMs)) };
    await client.update(LeaseCandidate, { ...found, spec }, call);
    this.#renewedMs = this.#clock.monotonicMs();
  }

  async #create(call: { readonly signal: AbortSignal; readonly timeoutMs: number }): Promise<void> {
    const { client, namespace, identity } = this.#options;
    const renewTime = formatMicroTime(this.#clock.now());
    const spec = { ...this.#spec(), renewTime };
    const metadata = { namespace, name: identity };
    this.#uid = (await client.create(LeaseCandidate, { metadata, spec }, call)).metadata.uid;
    this.#renewedMs = this.#clock.monotonicMs();
  }

  #spec(): NonNullable<V1beta1LeaseCandidate["spec"]> {
    const { name, coordinated } = this.#options;
    const { binaryVersion, emulationVersion = binaryVersion, strategy } = coordinated;
    return {
      leaseName: name,
      binaryVersion,
      emulationVersion,
      strategy: strategy ?? "OldestEmulationVersion",
    };
  }

  get #key(): string {
    return `${this.#options.namespace}/${this.#options.identity}`;
  }

  #failed(verb: string, error: unknown): void {
    const text = errorText(error);
    if (text === this.#lastFailure) return;
    this.#lastFailure = text;
    logger.warn("cannot {verb} the LeaseCandidate {key}: {error}", {
      verb,
      key: this.#key,
      error: text,
    });
  }
}

/**
 * Checks the versions of a coordinated election; of two versions, only the three numbers are
 * compared.
 *
 * @throws {TypeError} When a version is not a semantic version, or the emulation version is above
 * the binary one.
 */
export function checkCoordinated(coordinated: CoordinatedElection): void {
  const { binaryVersion, emulationVersion = binaryVersion } = coordinated;
  for (const [name, version] of Object.entries({ binaryVersion, emulationVersion })) {
    if (!/^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$/.test(version)) {
      throw new TypeError(
        `Cannot coordinate an election: ${name} is ${JSON.stringify(version)}; give a semantic ` +
          `version, such as 1.4.2`,
      );
    }
  }
  const numbers = (version: string): number[] => version.split(/[-+]/)[0]!.split(".").map(Number);
  const [binary, emulated] = [numbers(binaryVersion), numbers(emulationVersion)];
  const at = binary.findIndex((number, index) => number !== emulated[index]);
  if (at >= 0 && emulated[at]! > binary[at]!) {
    throw new TypeError(
      `Cannot coordinate an election: emulationVersion (${emulationVersion}) must not be above ` +
        `binaryVersion (${binaryVersion})`,
    );
  }
}

/**
 * Reports whether a 404 response means that the API path does not exist, and not that an object
 * does not exist.
 */
function isUnserved(error: unknown): boolean {
  return error instanceof ApiError && !error.status.details?.name;
}
