import { join } from "node:path";
import { type Clock, delay, errorText, linkedAbort, systemClock } from "@xca/apimachinery/base";
import { CertificateAuthority, generateSigningKey, type PemPair } from "@xca/apimachinery/pki";
import type { ClientConfig } from "../../client/config/config.ts";
import { apiserverArgs, type ApiserverKeys, writeApiserverFiles } from "./apiserver_args.ts";
import { type AuditEvent, parseAuditLog } from "./audit_log.ts";
import {
  type ControlPlaneAssets,
  ControlPlaneUnavailable,
  findControlPlaneAssets,
} from "./control_plane_assets.ts";
import { ControllerManager, requireControllerManager } from "./controller_manager.ts";
import { EtcdServer } from "./etcd_server.ts";
import { findFreePort } from "../free_port.ts";
import { GuardedProcess } from "./guarded_process.ts";
import { kubeconfigText } from "./kubeconfig_text.ts";

/** Options for {@linkcode ControlPlane.start}, which starts etcd and kube-apiserver for tests. */
export interface ControlPlaneOptions {
  /**
   * Further flags for kube-apiserver, such as `--feature-gates=WatchList=false`. Each replaces a
   * default flag of the same name.
   *
   * @default {[]}
   */
  readonly apiserverFlags?: readonly string[];
  /**
   * Sets whether the API server writes an audit log: `true` logs at level `Metadata`, a string is
   * the text of the policy file. Required for {@linkcode ControlPlane.auditEvents}.
   *
   * @default {false}
   */
  readonly audit?: boolean | string;
  /**
   * The names of the controllers of kube-controller-manager to run, such as
   * `garbage-collector-controller` and `namespace-controller`. The controllers need the program
   * kube-controller-manager, which is built by `deno task control-plane:build
   * --controller-manager`.
   *
   * @default {[]}
   */
  readonly controllers?: readonly string[];
  /**
   * The programs of the control plane to run.
   *
   * @default the result of {@linkcode findControlPlaneAssets}
   */
  readonly assets?: ControlPlaneAssets;
  /**
   * The time limit for a start of the API server, and for that of the controllers, in milliseconds.
   *
   * @default {180_000}
   */
  readonly startTimeoutMs?: number;
  /**
   * The clock for the time limits, and for the beginning of the certificates' validity.
   *
   * @default {systemClock}
   */
  readonly clock?: Clock;
}

/**
 * A user of a {@linkcode ControlPlane}, with its client certificate and private key (as PEM), as
 * {@linkcode ControlPlane.addUser} returns it.
 */
export interface ControlPlaneUser extends PemPair {
  /** The name of the control plane's user. */
  readonly name: string;
  /** The client configuration of the control plane's user. */
  readonly config: ClientConfig;
  /** The kubeconfig of the control plane's user, as YAML text. */
  readonly kubeconfig: string;
  /** The path of the user's kubeconfig file, which is removed with the control plane. */
  readonly kubeconfigPath: string;
}

/**
 * A real Kubernetes control plane on this machine, for tests: etcd and kube-apiserver on loopback,
 * with certificates created at the start, RBAC enabled, anonymous requests refused, and all data in
 * a temporary folder.
 *
 * - No controllers run except those in `controllers`: nothing schedules pods, empties namespaces,
 *   collects garbage, or fills the aggregated roles `view`, `edit` and `admin`.
 * - The `ServiceAccount` admission plugin is disabled, so that pods can be created without a
 *   service account.
 * - Declare it with `await using`. When this process dies otherwise, even by SIGKILL, its programs
 *   are killed and the folder is removed nevertheless.
 * - The programs come from the folder in `KUBEBUILDER_ASSETS`, or from `deno task
 *   control-plane:build`.
 * - It needs a POSIX shell: Linux or macOS.
 *
 * @example
 * ```ts
 * import { ControlPlane } from "@xca/operator/testing";
 *
 * async function serverVersion(): Promise<string> {
 *   await using plane = await ControlPlane.start();
 *   const response = await plane.fetch("/version");
 *   return (await response.json()).gitVersion;
 * }
 * ```
 */
export class ControlPlane implements AsyncDisposable {
  /** The URL of the control plane's API server, `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** The certificate authority of the control plane's server and clients, as PEM. */
  readonly caData: string;
  /** The certificate and the private key of the control plane's certificate authority, as PEM. */
  readonly authority: PemPair;
  /**
   * The private key with which the API server signs service account tokens (PKCS #8 as PEM text).
   */
  readonly serviceAccountKey: string;
  /** The administrator of the control plane, of group `system:masters`. */
  readonly admin: ControlPlaneUser;
  /** The path of the temporary folder with all data, logs and certificates of the control plane. */
  readonly dir: string;

  readonly #ca: CertificateAuthority;
  readonly #etcd: EtcdServer;
  readonly #http: Deno.HttpClient;
  readonly #startTimeoutMs: number;
  readonly #clock: Clock;
  readonly #audited: boolean;
  readonly #apiserver: GuardedProcess;
  #controllers: ControllerManager | undefined;
  #users = 0;
  #disposed = false;

  private constructor(dir: string, parts: Parts, etcd: EtcdServer) {
    const { options, keys, admin } = parts;
    const port = findFreePort();
    this.url = `https://127.0.0.1:${port}`;
    this.dir = dir;
    this.caData = keys.ca.cert;
    this.authority = keys.ca.pair;
    this.serviceAccountKey = keys.serviceAccount.privateKey;
    this.#ca = keys.ca;
    this.#etcd = etcd;
    this.#startTimeoutMs = options.startTimeoutMs ?? 180_000;
    this.#clock = parts.clock;
    this.#audited = Boolean(options.audit);
    this.#apiserver = GuardedProcess.create({
      program: parts.assets.kubeApiserver,
      args: apiserverArgs({
        folder: dir,
        port,
        etcdUrl: etcd.url,
        audited: this.#audited,
        flags: options.apiserverFlags ?? [],
      }),
      logFile: join(dir, "kube-apiserver.log"),
      removeOnOrphan: dir,
    });
    this.admin = this.#user("admin", admin);
    this.#http = Deno.createHttpClient({
      caCerts: [keys.ca.cert],
      cert: admin.cert,
      key: admin.key,
      http2: false,
    });
  }

  /**
   * Starts a control plane: etcd, kube-apiserver and the selected controllers. Resolves when the
   * API server is ready and kube-controller-manager, if it is needed, is healthy. Tries again, up
   * to five times in all, when a port was taken meanwhile.
   *
   * @throws {ControlPlaneUnavailable} When a program is missing on this machine, or the machine
   * runs Windows.
   * @throws {Error} When a program ends or is not ready in time; the message ends with the last
   * lines of its log.
   */
  static async start(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
    const parts = await makeParts(options);
    for (let attempt = 1;; attempt++) {
      const plane = await ControlPlane.#create(parts);
      try {
        await plane.startApiserver();
        await plane.#startControllers(parts);
        return plane;
      } catch (error) {
        await plane[Symbol.asyncDispose]();
        const portTaken = /address already in use/.test(errorText(error));
        if (!portTaken || attempt === 5) throw error;
      }
    }
  }

  /**
   * Creates the temporary folder of a control plane, writes the files of the API server and starts
   * etcd. Nothing is awaited between the creation of the folder and that of the guard process,
   * which removes the folder after a crash.
   */
  static async #create(parts: Parts): Promise<ControlPlane> {
    const dir = Deno.makeTempDirSync({ prefix: "xca-control-plane-" });
    let etcd: EtcdServer | undefined;
    try {
      writeApiserverFiles(dir, parts.keys, parts.options.audit ?? false);
      etcd = await EtcdServer.start(parts.assets.etcd, dir);
      return new ControlPlane(dir, parts, etcd);
    } catch (error) {
      await etcd?.[Symbol.asyncDispose]();
      await Deno.remove(dir, { recursive: true });
      throw error;
    }
  }

  /**
   * The client configuration of the control plane's administrator. To connect through a proxy,
   * spread the configuration with another `server`.
   */
  get config(): ClientConfig {
    return this.admin.config;
  }

  /** The kubeconfig of the control plane's administrator, as YAML text. */
  get kubeconfig(): string {
    return this.admin.kubeconfig;
  }

  /** The path of the administrator's kubeconfig file. */
  get kubeconfigPath(): string {
    return this.admin.kubeconfigPath;
  }

  /** The path of the API server's audit log; it exists only with the option `audit`. */
  get auditLogPath(): string {
    return join(this.dir, "audit.log");
  }

  /**
   * The process ids of etcd and kube-apiserver; `undefined` for a program that was killed, or was
   * found to have ended.
   */
  get pids(): { readonly etcd: number | undefined; readonly apiserver: number | undefined } {
    return { etcd: this.#etcd.process.pid, apiserver: this.#apiserver.pid };
  }

  /**
   * Sends a request to the API server as the administrator, and resolves to the response, whatever
   * its status. `path` begins with a slash and may have a query.
   */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { ...init, client: this.#http });
  }

  /**
   * Returns the events of the audit log so far. An event is written before the response is sent,
   * except for a watch, whose `ResponseStarted` comes with the first bytes.
   *
   * @throws {Error} When the control plane was started without `audit`.
   */
  async auditEvents(): Promise<AuditEvent[]> {
    if (!this.#audited) {
      throw new Error("Cannot read audit events: the control plane was started without `audit`");
    }
    return parseAuditLog(await readText(this.auditLogPath));
  }

  /**
   * Creates a client certificate and a kubeconfig for a user of the control plane in the given
   * groups, and resolves to the user. The user has only the rights that RBAC grants to the name and
   * the groups.
   */
  async addUser(name: string, groups: readonly string[] = []): Promise<ControlPlaneUser> {
    return this.#user(name, await this.#ca.client(name, groups));
  }

  /** Kills the API server with SIGKILL and waits for its end; etcd keeps running. */
  async killApiserver(): Promise<void> {
    await this.#apiserver.kill();
  }

  /**
   * Starts a killed API server on the port and data that it had before, and resolves when it is
   * ready.
   *
   * @throws {Error} When the API server is running, ends, or is not ready in time.
   */
  async startApiserver(): Promise<void> {
    await this.#apiserver.start();
    await this.#untilReady();
  }

  /**
   * Kills the API server with SIGKILL and starts it again on its port and data; resolves when it is
   * ready.
   */
  async restartApiserver(): Promise<void> {
    await this.killApiserver();
    await this.startApiserver();
  }

  /**
   * Pauses the API server (SIGSTOP), and resolves when it has stopped: connections stay open and no
   * request is answered.
   */
  async pauseApiserver(): Promise<void> {
    await this.#apiserver.signal("STOP");
  }

  /** Resumes a paused API server. */
  async resumeApiserver(): Promise<void> {
    await this.#apiserver.signal("CONT");
  }

  /**
   * Compacts etcd's history up to the current revision, and resolves to that revision, a decimal
   * number as text.
   *
   * A running API server answers from its watch cache, so older watches, lists and `continue`
   * tokens stay valid for a while; {@linkcode ControlPlane.expireHistory} makes the server refuse
   * them. For resources without a watch cache (flag `--watch-cache-sizes=configmaps#0`, or
   * `xcas.example.com#0` with a group) compaction is enough.
   */
  compact(): Promise<string> {
    return this.#etcd.compact();
  }

  /**
   * Expires all history: kills the API server, compacts etcd, and starts the server again. Resolves
   * to the revision of the compaction once the server is ready.
   *
   * A watch from an older resourceVersion then gets status 200 and an `ERROR` event with code 410;
   * an older `continue` token or exact resourceVersion gets status 410.
   */
  async expireHistory(): Promise<string> {
    await this.killApiserver();
    const revision = await this.compact();
    await this.startApiserver();
    return revision;
  }

  /**
   * Copies etcd's data for {@linkcode ControlPlane.restoreEtcd}, replacing an earlier copy. Kills
   * the API server and etcd for that, and starts both again.
   */
  async backUpEtcd(): Promise<void> {
    await this.killApiserver();
    await this.#etcd.backUp();
    await this.startApiserver();
  }

  /**
   * Restores the data that {@linkcode ControlPlane.backUpEtcd} copied, as after a disaster: later
   * writes are lost, and their resourceVersions are used again for other changes. Kills the API
   * server and etcd for that, and starts both again.
   *
   * @throws {Error} When there is no copy, and the control plane continues unchanged; or when the
   * API server does not become ready again.
   */
  async restoreEtcd(): Promise<void> {
    if (!this.#etcd.hasBackUp()) {
      throw new Error("Cannot restore etcd: there is no copy; call backUpEtcd() first");
    }
    await this.killApiserver();
    await this.#etcd.restore();
    await this.startApiserver();
  }

  /**
   * Kills the control plane's programs, waits for their end and removes the control plane's folder.
   * Does nothing if called before.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#http.close();
    await Promise.all([
      this.#controllers?.[Symbol.asyncDispose](),
      this.#apiserver[Symbol.asyncDispose](),
      this.#etcd[Symbol.asyncDispose](),
    ]);
    await Deno.remove(this.dir, { recursive: true });
  }

  async #startControllers({ options, assets }: Parts): Promise<void> {
    const { controllers = [] } = options;
    if (controllers.length === 0) return;
    try {
      this.#controllers = await ControllerManager.start({
        program: requireControllerManager(assets),
        folder: this.dir,
        kubeconfigPath: this.kubeconfigPath,
        controllers,
        http: this.#http,
        timeoutMs: this.#startTimeoutMs,
        clock: this.#clock,
      });
    } catch (error) {
      const log = await this.#logTail("kube-controller-manager.log");
      throw new Error(`${errorText(error)}\n${log}`, { cause: error });
    }
  }

  #user(name: string, pair: PemPair): ControlPlaneUser {
    const kubeconfig = kubeconfigText({ server: this.url, ca: this.caData, user: name, ...pair });
    const kubeconfigPath = join(this.dir, `kubeconfig-${this.#users++}.yaml`);
    Deno.writeTextFileSync(kubeconfigPath, kubeconfig, { mode: 0o600 });
    const config: ClientConfig = {
      server: this.url,
      namespace: "default",
      tls: { caData: this.caData, certData: pair.cert, keyData: pair.key },
      source: `user "${name}" of a test's control plane`,
    };
    return { name, ...pair, config, kubeconfig, kubeconfigPath };
  }

  async #untilReady(): Promise<void> {
    const deadline = this.#clock.monotonicMs() + this.#startTimeoutMs;
    let why = "";
    while (why === "") {
      const notReady = await this.#notReady();
      if (notReady === "") return;
      await delay(50, { clock: this.#clock });
      if (!await this.#apiserver.running()) why = "it ended";
      else if (!await this.#etcd.process.running()) why = "etcd ended";
      else if (this.#clock.monotonicMs() > deadline) {
        why = `not ready within ${this.#startTimeoutMs} ms (${notReady})`;
      }
    }
    throw new Error(
      `Cannot start kube-apiserver: ${why}\n${await this.#logTail("kube-apiserver.log")}` +
        await this.#logTail("etcd.log"),
    );
  }

  /**
   * Returns the reason why the API server is not ready, or an empty string. The namespace `default`
   * is created soon after `/readyz` succeeds.
   */
  async #notReady(): Promise<string> {
    for (const path of ["/readyz", "/api/v1/namespaces/default"]) {
      try {
        using deadline = linkedAbort({ timeoutMs: 5_000, clock: this.#clock });
        const response = await this.fetch(path, { signal: deadline.signal });
        const text = await response.text();
        if (!response.ok) return `${path}: ${response.status} ${text.slice(0, 500)}`;
      } catch (error) {
        return `${path}: ${errorText(error)}`;
      }
    }
    return "";
  }

  async #logTail(file: string): Promise<string> {
    const lines = (await readText(join(this.dir, file))).trimEnd().split("\n").slice(-20);
    return `--- the end of ${file}:\n${lines.join("\n")}\n`;
  }
}

/**
 * The options, clock, programs and certificates that a control plane needs before its folder is
 * created.
 */
interface Parts {
  readonly options: ControlPlaneOptions;
  readonly clock: Clock;
  readonly assets: ControlPlaneAssets;
  readonly keys: ApiserverKeys;
  readonly admin: PemPair;
}

async function makeParts(options: ControlPlaneOptions): Promise<Parts> {
  if (Deno.build.os === "windows") {
    throw new ControlPlaneUnavailable("Cannot start a control plane: it needs Linux or macOS");
  }
  const assets = options.assets ?? findControlPlaneAssets();
  if (options.controllers?.length) requireControllerManager(assets);
  const clock = options.clock ?? systemClock;
  const ca = await CertificateAuthority.create("control-plane-ca", clock.now());
  const [serving, admin, serviceAccount] = await Promise.all([
    ca.serving("kube-apiserver", ["localhost"], ["127.0.0.1"]),
    ca.client("admin", ["system:masters"]),
    generateSigningKey(),
  ]);
  return { options, clock, assets, keys: { ca, serving, serviceAccount }, admin };
}

async function readText(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
