import { existsSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "@xca/apimachinery/base";
import { findFreePort } from "../free_port.ts";
import { GuardedProcess } from "./guarded_process.ts";

/**
 * An etcd server for tests: a single member on loopback, with its data in a folder. The data need
 * not survive a power cut.
 */
export class EtcdServer implements AsyncDisposable {
  /** The URL of etcd for clients, without TLS. */
  readonly url: string;
  /** The process of etcd. */
  readonly process: GuardedProcess;
  /** The folder of etcd's data, of a copy of the data and of the log. */
  readonly #folder: string;

  private constructor(url: string, process: GuardedProcess, folder: string) {
    this.url = url;
    this.process = process;
    this.#folder = folder;
  }

  /**
   * Starts the etcd `program` with its data and log in `folder`, on a free port. etcd may not be
   * ready when the promise resolves; the API server waits for etcd.
   */
  static async start(program: string, folder: string): Promise<EtcdServer> {
    const url = `http://127.0.0.1:${findFreePort()}`;
    const process = GuardedProcess.create({
      program,
      args: [
        `--data-dir=${join(folder, "etcd")}`,
        `--listen-client-urls=${url}`,
        `--advertise-client-urls=${url}`,
        "--listen-peer-urls=http://127.0.0.1:0",
        "--unsafe-no-fsync",
        "--log-level=warn",
      ],
      logFile: join(folder, "etcd.log"),
      removeOnOrphan: folder,
    });
    await process.start();
    return new EtcdServer(url, process, folder);
  }

  /** Kills etcd, copies its data, replacing an earlier copy, and starts etcd again. */
  async backUp(): Promise<void> {
    await this.#copy("etcd", "etcd-backup");
  }

  /**
   * Kills etcd, replaces its data by the copy of {@linkcode EtcdServer.backUp}, which remains, and
   * starts etcd again.
   */
  async restore(): Promise<void> {
    await this.#copy("etcd-backup", "etcd");
  }

  /** Reports whether {@linkcode EtcdServer.backUp} has made a copy. */
  hasBackUp(): boolean {
    return existsSync(join(this.#folder, "etcd-backup"));
  }

  async #copy(from: string, to: string): Promise<void> {
    await this.process.kill();
    const target = join(this.#folder, to);
    await rm(target, { recursive: true, force: true });
    await cp(join(this.#folder, from), target, { recursive: true });
    await this.process.start();
  }

  /**
   * Compacts etcd's history up to the current revision, and resolves to that revision, as decimal
   * text. Keys keep their current values, and older values are removed. The method first writes a
   * key that no API server reads, since the last change of all is never compacted.
   *
   * @throws {Error} When etcd does not answer or refuses.
   */
  async compact(): Promise<string> {
    const { header } = await this.#call("kv/put", { key: btoa("compaction"), value: "" }) as {
      header: { revision: string };
    };
    await this.#call("kv/compaction", { revision: header.revision, physical: true });
    return header.revision;
  }

  async #call(method: string, request: unknown): Promise<unknown> {
    try {
      const response = await fetch(`${this.url}/v3/${method}`, {
        method: "POST",
        body: JSON.stringify(request),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.status} ${text.trim()}`);
      return JSON.parse(text);
    } catch (cause) {
      throw new Error(`Cannot call etcd's ${method} at ${this.url}: ${errorText(cause)}`, {
        cause,
      });
    }
  }

  /** Kills etcd and waits for its end; the folder with its data is kept. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.process[Symbol.asyncDispose]();
  }
}
