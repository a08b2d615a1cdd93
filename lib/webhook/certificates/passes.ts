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

/** The dependencies of {@linkcode Passes}. */
export interface PassesOptions {
  /** The client that reads and writes the Secret and the configurations. */
  readonly client: Pick<Client, "get" | "create" | "update" | "patch" | "watch">;
  /** The Secret of the authority and the certificate. */
  readonly secret: SecretName;
  /** The objects whose `caBundle` is kept. @default none */
  readonly targets?: CaBundleTargets | undefined;
  /** The longest time between two passes, in milliseconds. */
  readonly syncMs: number;
  /** The source of randomness. */
  readonly random: Random;
}

/** The repeated comparison of a Secret and the configurations with what they should be. */
export class Passes {
  readonly #options: PassesOptions;
  readonly #rules: RotationRules;
  readonly #run: Run;
  readonly #store: MaterialStore;
  /** The authorities that all configurations had in the passes since `sinceMs`. */
  #published: { readonly bundle: string; readonly sinceMs: number } | undefined;
  /** The last logged reason why the authorities could not be written. */
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

  /** Makes and replaces certificates as they are due, and returns the stored ones. */
  settle(): Promise<OwnMaterial> {
    return this.#store.settle(
      (current) => nextMaterial(current, this.#rules, this.#moment(current)),
      this.#run.signal,
    );
  }

  /**
   * Writes the authorities into each configuration that has others. Returns the error of the first that
   * could not be written, which is logged once; the others are written all the same.
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

  /** Returns the time until the next pass, in milliseconds. */
  dueInMs(material: OwnMaterial): number {
    const dueMs = nextStepInMs(material, this.#rules, this.#moment(material));
    return Math.max(PAUSE_MS, Math.min(dueMs, this.#options.syncMs));
  }

  /** Returns the time until clients trust all authorities of the material, in milliseconds; 0 when they do. */
  untilPublishedMs(material: OwnMaterial): number {
    return Math.max(0, this.#rules.propagationMs - this.#moment(material).publishedForMs);
  }

  /** Wakes the passes at each change of the Secret and the configurations, until it is disposed. */
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

  /** Writes the authorities into one configuration when it has others. */
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

  /** Logs why the authorities cannot be written, once for each reason. */
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
