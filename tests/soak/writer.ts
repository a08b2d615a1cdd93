import { type Client } from "../../lib/client/typed/client.ts";
import { ApiError, ignoreNotFound, isNotFound } from "../../lib/client/errors/api_error.ts";
import { mergePatch } from "../../lib/client/typed/patch.ts";
import { StreamBrokenError, UnreachableError } from "../../lib/client/errors/unreachable_error.ts";
import { ConfigMap } from "../../lib/apimachinery/meta/builtin.ts";
import type { KubeObject } from "../../lib/apimachinery/meta/object.ts";
import { formatKey } from "../../lib/apimachinery/meta/object_key.ts";
import type { ResourceType } from "../../lib/apimachinery/meta/resource_type.ts";
import { Xca } from "../../lib/xca/xca.ts";
import type { Write, WrittenKind } from "./plan.ts";

const TYPES: Readonly<Record<WrittenKind, ResourceType>> = { ConfigMap, Xca };

/** Writes past the faulty path, so that only kills of the server stand in its way. */
export class Writer {
  /** Writes that the server took. */
  done = 0;
  /** Writes that were lost because the server was away or refused. */
  lost = 0;
  readonly #client: Client;
  readonly #namespace: string;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Carries out one write. Returns whether the server could be asked. */
  async write(write: Write): Promise<boolean> {
    try {
      await this.#write(write);
      this.done++;
      return true;
    } catch (error) {
      this.lost++;
      if (error instanceof ApiError) return true;
      if (error instanceof UnreachableError || error instanceof StreamBrokenError) return false;
      throw error;
    }
  }

  async #write(write: Write): Promise<void> {
    const { name } = write;
    const key = formatKey({ namespace: this.#namespace, name });
    if (write.type === "deactivate") {
      const status = { active: false };
      await ignoreNotFound(this.#client.patchStatus(Xca, key, mergePatch({ status })));
    } else if (write.type === "delete") {
      await ignoreNotFound(this.#client.delete(TYPES[write.kind], key));
    } else {
      await this.#put(TYPES[write.kind], key, contentOf(write.kind, write.size), name);
    }
  }

  async #put(type: ResourceType, key: string, content: object, name: string): Promise<void> {
    try {
      await this.#client.patch(type, key, mergePatch(content));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const metadata = { name, namespace: this.#namespace };
      await this.#client.create(type, { metadata, ...content } as KubeObject);
    }
  }
}

/** Returns text of a number of characters, some of several bytes. */
function contentOf(kind: WrittenKind, size: number): object {
  const text = "wörter ".repeat(Math.ceil(size / 7)).slice(0, size);
  return kind === "Xca" ? { spec: { foo: text } } : { data: { text } };
}
