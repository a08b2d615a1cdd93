// Mirrors `storage/names/generate.go, simpleNameGenerator`.
import type { Random } from "@xca/apimachinery/base";
import type { RequestUser } from "@xca/apimachinery/internal/access";
import type { Work } from "@xca/apimachinery/internal/base";
import type { ApiObject } from "@xca/apimachinery/internal/values";
import type { RequestContext } from "../../machinery/request_context.ts";
import type { ApiResource } from "../../machinery/resource.ts";

/**
 * The characters of the random suffix of generated names: no vowels, so that no words appear, and
 * no characters that look alike.
 */
const SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

/** The parameters of a {@linkcode VerbContext}, the context of one call of a verb. */
export interface VerbContextInit
  extends Omit<RequestContext<ApiResource>, "uid" | "nameSuffix" | "warn" | "signal" | "chosen"> {
  /**
   * Returns the signal of the call, which aborts when the client disconnects or the server stops.
   */
  readonly signalOf: () => AbortSignal;
  readonly random: Random;
  readonly work: Work;
  /**
   * The `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions` that admission plugins
   * see; absent for reads, connections and writes of the server itself.
   */
  readonly options?: ApiObject;
  /** The set that collects the texts of `Warning` headers; a new set if absent. */
  readonly warnings?: Set<string>;
}

/** The context of one call of a verb, with the warnings that the call collects. */
export class VerbContext implements RequestContext<ApiResource> {
  readonly user: RequestUser;
  readonly verb: string;
  readonly resource: ApiResource;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  readonly now: Date;
  readonly query: URLSearchParams;
  /** The texts of the response's `Warning` headers, each once. */
  readonly warnings: Set<string>;
  /**
   * The `CreateOptions`, `UpdateOptions`, `PatchOptions` or `DeleteOptions` that admission plugins
   * see; absent for reads, connections and writes of the server itself.
   */
  readonly options: ApiObject | undefined;
  /** The IP addresses and ports, as text, that the server chose for the object of the call. */
  readonly chosen: Set<string> = new Set();
  /** The verb call as a task that shares the event loop's time with other requests. */
  readonly work: Work;
  readonly #random: Random;
  readonly #signalOf: () => AbortSignal;

  constructor(init: VerbContextInit) {
    this.user = init.user;
    this.verb = init.verb;
    this.resource = init.resource;
    this.namespace = init.namespace;
    this.name = init.name;
    this.subresource = init.subresource;
    this.dryRun = init.dryRun;
    this.fieldManager = init.fieldManager;
    this.fieldValidation = init.fieldValidation;
    this.now = init.now;
    this.query = init.query;
    this.#signalOf = init.signalOf;
    this.options = init.options;
    this.warnings = init.warnings ?? new Set();
    this.work = init.work;
    this.#random = init.random;
  }

  get signal(): AbortSignal {
    return this.#signalOf();
  }

  uid(): string {
    return this.#random.uuid();
  }

  nameSuffix(): string {
    let suffix = "";
    for (let i = 0; i < 5; i++) {
      suffix += SUFFIX_LETTERS[Math.floor(this.#random.next() * SUFFIX_LETTERS.length)];
    }
    return suffix;
  }

  warn(text: string): void {
    this.warnings.add(text);
  }
}
