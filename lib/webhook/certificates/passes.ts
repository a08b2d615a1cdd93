import { getLogger } from "@logtape/logtape";
import { errorText, type Random } from "@xca/apimachinery/base";
import { certificatesIn } from "@xca/apimachinery/internal/pki";
import { Secret } from "@xca/apimachinery/meta";
import type { Client } from "../../client/typed/client.ts";
import {
  type CaBundleTarget,
  type CaBundleTargets,
  injectCaBundle,
  readCaBundle,
  targetsOf,
} from "./ca_bundle.ts";
import { watchObject } from "./changes.ts";
import { MaterialStore, type SecretName } from "./material_store.ts";
import { bundleOf, type OwnMaterial } from "./own_material.ts";
import { nextMaterial, nextStepInMs, type RotationRules } from "./rotation.ts";
import { PAUSE_MS, type Run, Wake } from "./wake.ts";

const logger = getLogger(["xca", "webhook", "certificate"]);

/**
 * The dependencies of {@linkcode Passes}, which renews certificates and writes them into
 * configurations.
 */
export interface PassesOptions {
  /** The client that writes the certificate Secret and the `caBundle` of configurations. */
  readonly client: Pick<Client, "get" | "create" | "update" | "patch" | "watch">;
  /** The Secret with the certificate authority and the certificate. */
  readonly secret: SecretName;
  /** The objects whose `caBundle` is kept equal to the certificate authorities. @default none */
  readonly targets?: CaBundleTargets | undefined;
  /**
   * The longest time between two checks of the certificate Secret and the configurations, in
   * milliseconds.
   */
  readonly syncMs: number;
  /** The random number source that varies the times of certificate renewals and retries. */
  readonly random: Random;
}

/**
 * The repeated checks of the certificate Secret and the webhook configurations, which renew
 * certificates and update every `caBundle`.
 */
export class Passes {
  readonly #options: PassesOptions;
  readonly #rules: RotationRules;
  readonly #run: Run;
  readonly #store: MaterialStore;
  /**
   * The certificate authorities that have been in the `caBundle` of all configurations since
   * `sinceMs`, a time on the monotonic clock; `undefined` when this replica does not know that each
   * `caBundle` has them.
   */
  #published: { readonly bundle: string; readonly sinceMs: number } | undefined;
  /**
   * The reason why the last {@linkcode publish} could not write the certificate authorities;
   * `undefined` after one without failure.
   */
  #reported: string | undefined;

  constructor(options: PassesOptions, rules: RotationRules, run: Run) {
    this.#options = options;
    this.#rules = rules;
    this.#run = run;
    const { client, secret, targets } = options;
    this.#store = new MaterialStore(client, secret, run.clock, async (signal) => {
      const reads = targetsOf(targets ?? {}).map((each) => readCaBundle(client, each, signal));
      return (await Promise.all(reads)).flatMap(certificatesIn);
    });
  }

  /**
   * Creates and renews the certificates that are due, in the Secret; returns the stored
   * certificates and keys.
   */
  settle(): Promise<OwnMaterial> {
    return this.#store.settle(
      (current) => nextMaterial(current, this.#rules, this.#moment(current)),
      this.#run.signal,
    );
  }

  /**
   * Writes the certificate authorities into the `caBundle` of each configuration that has other
   * ones. Returns the error of the first failed write, or `undefined`; the remaining configurations
   * are written nevertheless. A failure for the same reason as the last one is not logged again.
   * Rejects when the run ends.
   */
  async publish(material: OwnMaterial): Promise<unknown> {
    const known = bundleOf(material);
    if (this.#published?.bundle !== known) this.#published = undefined;
    const failures: unknown[] = [];
    for (const target of targetsOf(this.#options.targets ?? {})) {
      try {
        await this.#inject(target, known);
      } catch (error) {
        if (this.#run.signal.aborted) throw error;
        this.#published = undefined;
        failures.push(error);
      }
    }
    this.#report(failures[0]);
    if (failures.length > 0) return failures[0];
    // The time counts from the end of the pass, when every configuration has been seen.
    this.#published ??= { bundle: known, sinceMs: this.#run.clock.monotonicMs() };
    return undefined;
  }

  /**
   * Returns the time until the next check of the certificate Secret and the configurations, in
   * milliseconds: at least {@linkcode PAUSE_MS}, and at most `syncMs`.
   */
  dueInMs(material: OwnMaterial): number {
    const dueMs = nextStepInMs(material, this.#rules, this.#moment(material));
    return Math.max(PAUSE_MS, Math.min(dueMs, this.#options.syncMs));
  }

  /**
   * Returns the time until clients trust all stored authorities, in milliseconds; 0 when they
   * already do. The whole propagation time if this replica has not yet seen the authorities in
   * every `caBundle`.
   */
  untilPublishedMs(material: OwnMaterial): number {
    return Math.max(0, this.#rules.propagationMs - this.#moment(material).publishedForMs);
  }

  /**
   * Watches the Secret and the configurations until the run ends, and returns the wait between two
   * checks, which each change ends early.
   */
  watch(): Wake {
    const { client, random, secret, targets } = this.#options;
    const wake = new Wake(this.#run);
    const ports = { client, random, ...this.#run };
    const objects = [{ type: Secret, ...secret }, ...targetsOf(targets ?? {})];
    for (const each of objects) void watchObject(each, () => wake.now(), ports);
    return wake;
  }

  #moment(material: OwnMaterial): { now: Date; publishedForMs: number } {
    const { clock } = this.#run;
    const isPublished = this.#published?.bundle === bundleOf(material);
    return {
      now: clock.now(),
      publishedForMs: isPublished ? clock.monotonicMs() - this.#published!.sinceMs : 0,
    };
  }

  /**
   * Writes the certificate authorities into the `caBundle` of one configuration if it has other
   * ones.
   */
  async #inject(target: CaBundleTarget, known: string): Promise<void> {
    const { signal } = this.#run;
    const read = async (): Promise<string> => bundleOf(await this.#store.read(signal));
    const result = await injectCaBundle(this.#options.client, target, { known, read, signal });
    if (result === "pending") this.#published = undefined;
    if (result !== "written") return;
    this.#published = undefined;
    logger.info("Wrote the authorities of the webhook server into {kind} {name}", {
      kind: target.type.kind,
      name: target.name,
    });
  }

  /** Logs the reason why the certificate authorities cannot be written, once for each reason. */
  #report(failure: unknown): void {
    const reason = failure === undefined ? undefined : errorText(failure);
    if (reason !== undefined && reason !== this.#reported) {
      logger.error("Cannot write the authorities of the webhook server: {reason}", {
        reason,
        error: failure,
      });
    }
    this.#reported = reason;
  }
}
