import { methodOf, type RestRequest } from "../../client/calls/rest.ts";
import { parseApiPath } from "../../client/scoped/scoped_path.ts";
import {
  formatKey,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from "@xca/apimachinery/meta";
import { attempt } from "@xca/apimachinery/internal/base";
import type { WriteInFlight, WriteLedger } from "./write_ledger.ts";

/**
 * The subresources whose responses are streams and not objects; requests to them are not recorded.
 */
const STREAMED: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/**
 * The record of a write that a reconcile run sends by the client's `request` or `requestJson`, in
 * the ledger of the controller's writes. The caller disposes the record when the call has ended.
 * Only a write to a resource that the controller watches is recorded; without the record, its
 * events would look like those of another writer. A dry run and the deletion of a collection are
 * not recorded.
 */
export class RecordedRequest implements Disposable {
  readonly #ledger: WriteLedger;
  readonly #key: ObjectKey;
  readonly #type: ResourceType;
  /** The key of the object that the request deletes; `undefined` for other writes. */
  readonly #deletes: ObjectKey | undefined;
  readonly #subresource: string | undefined;
  readonly #flight: WriteInFlight;

  private constructor(
    ledger: WriteLedger,
    key: ObjectKey,
    type: ResourceType,
    { deletes, subresource }: {
      readonly deletes?: ObjectKey;
      readonly subresource?: string | undefined;
    },
  ) {
    this.#ledger = ledger;
    this.#key = key;
    this.#type = type;
    this.#deletes = deletes;
    this.#subresource = subresource;
    this.#flight = ledger.begin(type, deletes);
  }

  /**
   * Begins the record of a write, before its request is sent; returns `undefined` for a request
   * that is not recorded, such as one for a resource that the controller does not watch.
   */
  static begin(
    ledger: WriteLedger,
    key: ObjectKey,
    request: RestRequest,
  ): RecordedRequest | undefined {
    const { path, query } = request;
    if (query?.dryRun !== undefined) return undefined;
    const parts = attempt(() => parseApiPath(path)); // An invalid path fails when it is sent.
    if (!parts) return undefined;
    const { namespace, plural, name, subresource: [subresource, ...more] } = parts;
    if (more.length > 0 || (subresource !== undefined && STREAMED.has(subresource))) {
      return undefined;
    }
    const [root, group, version] = path.split("/").filter((segment) => segment !== "");
    const type = ledger.typeOf(
      root === "api" ? `${plural}.${group}` : `${plural}.${version}.${group}`,
    );
    if (!type) return undefined;
    if (methodOf(request) !== "DELETE") {
      return new RecordedRequest(ledger, key, type, { subresource });
    }
    if (name === undefined || subresource !== undefined) return undefined;
    return new RecordedRequest(ledger, key, type, { deletes: formatKey({ namespace, name }) });
  }

  /**
   * Records that the server performed the write; `answer` is the parsed response. Records nothing
   * unless the request is a deletion or the response is an object with name and resourceVersion.
   */
  answered(answer: unknown): void {
    if (this.#deletes !== undefined) {
      this.#ledger.deleted(this.#key, this.#type, this.#deletes, this.#flight);
    } else if (isWritten(answer)) {
      const isWhole = this.#subresource === undefined || answer.kind === this.#type.kind;
      this.#ledger.wrote(this.#key, this.#type, answer, this.#flight, { isWhole });
    }
  }

  /**
   * Records the write by its response, whose body the caller still reads. Resolves when a copy of
   * the body has been read, so that a run that begins later knows the write. A response that is not
   * JSON or breaks off records nothing.
   */
  async received(response: Response): Promise<void> {
    if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) return;
    try {
      this.answered(JSON.parse(await response.clone().text()));
    } catch {
      // A broken body is the error of the caller, who reads it as well.
    }
  }

  [Symbol.dispose](): void {
    this.#flight[Symbol.dispose]();
  }
}

/** Reports whether a response is an object with name and resourceVersion, as a write returns it. */
function isWritten(answer: unknown): answer is KubeObject {
  const { metadata } = (answer ?? {}) as Partial<KubeObject>;
  return typeof metadata?.name === "string" && typeof metadata.resourceVersion === "string";
}
