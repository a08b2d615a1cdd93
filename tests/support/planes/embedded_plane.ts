import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { delay } from "../../../lib/apimachinery/base/time/delay.ts";
import { errorText } from "../../../lib/apimachinery/base/errors/error_text.ts";
import type { ClientConfig } from "../../../lib/client/config/config.ts";
import { CertificateAuthority } from "../../../lib/apimachinery/pki/certificate_authority.ts";
import { generateSigningKey } from "../../../lib/apimachinery/pki/key_pair.ts";
import type { PemPair } from "../../../lib/apimachinery/pki/pem.ts";
import { type AuditEvent, parseAuditLog } from "../../../lib/testing/plane/audit_log.ts";
import type {
  ControlPlaneOptions,
  ControlPlaneUser,
} from "../../../lib/testing/plane/control_plane.ts";
import { findFreePort } from "../../../lib/testing/free_port.ts";
import { GuardedProcess } from "../../../lib/testing/plane/guarded_process.ts";
import { kubeconfigText } from "../../../lib/testing/plane/kubeconfig_text.ts";
import type { EmbeddedPlaneSettings } from "./embedded_plane_server.ts";
import type { Plane } from "./plane.ts";

/** The time limit of a start, in steps of 25 ms. */
const START_STEPS = 7_200;

/** The flag of kube-apiserver that the embedded server implements too. */
const NO_WATCH_LIST = "--feature-gates=WatchList=false";

/**
 * Options of {@linkcode EmbeddedPlane.start}: the options of a real control plane that apply to the
 * embedded server.
 */
export type EmbeddedPlaneOptions = Pick<ControlPlaneOptions, "apiserverFlags" | "audit">;

/**
 * The embedded API server with the shape of a real control plane: a process of its own behind TLS,
 * which is killed by SIGKILL and starts again on the same port with the data in its file.
 */
export class EmbeddedPlane implements Plane {
  readonly url: string;
  readonly caData: string;
  readonly dir: string;
  readonly embedded = true;
  readonly admin: ControlPlaneUser;
  readonly #ca: CertificateAuthority;
  readonly #process: GuardedProcess;
  readonly #http: Deno.HttpClient;
  readonly #audit: string | undefined;
  #users = 0;

  private constructor(dir: string, ca: CertificateAuthority, settings: EmbeddedPlaneSettings) {
    const { port, keys, audit } = settings;
    this.url = `https://127.0.0.1:${port}`;
    this.caData = keys.ca;
    this.dir = dir;
    this.#ca = ca;
    this.#audit = audit;
    this.#process = GuardedProcess.create({
      program: Deno.execPath(),
      args: [
        "run",
        "--allow-all",
        "--no-check",
        fileURLToPath(new URL("embedded_plane_server.ts", import.meta.url)),
        join(dir, "settings.json"),
      ],
      logFile: join(dir, "server.log"),
      removeOnOrphan: dir,
    });
    this.admin = this.#user("admin", keys.admin);
    this.#http = Deno.createHttpClient({ caCerts: [keys.ca], ...keys.admin, http2: false });
  }

  /**
   * Starts a server; resolves when it is ready. Takes another port if another program occupies the
   * chosen one first.
   */
  static async start(options: EmbeddedPlaneOptions = {}): Promise<EmbeddedPlane> {
    for (let attempt = 1;; attempt++) {
      try {
        return await EmbeddedPlane.#start(options);
      } catch (error) {
        if (!/address already in use/i.test(errorText(error)) || attempt === 5) throw error;
      }
    }
  }

  static async #start(options: EmbeddedPlaneOptions): Promise<EmbeddedPlane> {
    const flags = options.apiserverFlags ?? [];
    const unknown = flags.filter((flag) => flag !== NO_WATCH_LIST);
    if (unknown.length) throw new Error(`Cannot start the embedded server with ${unknown}`);
    const ca = await CertificateAuthority.create("embedded-plane-ca", new Date());
    const [serving, admin, { privateKey }] = await Promise.all([
      ca.serving("kube-apiserver", ["localhost"], ["127.0.0.1"]),
      ca.client("admin", ["system:masters"]),
      generateSigningKey(),
    ]);
    const dir = Deno.makeTempDirSync({ prefix: "xca-embedded-plane-" });
    const settings: EmbeddedPlaneSettings = {
      port: findFreePort(),
      keys: { ca: ca.cert, caKey: ca.pair.key, serving, admin, signingKey: privateKey },
      data: join(dir, "objects"),
      ...(options.audit && { audit: join(dir, "audit.log") }),
      watchList: !flags.includes(NO_WATCH_LIST),
    };
    const mode = { mode: 0o600 };
    Deno.writeTextFileSync(join(dir, "settings.json"), JSON.stringify(settings), mode);
    const plane = new EmbeddedPlane(dir, ca, settings);
    try {
      await plane.startApiserver();
      return plane;
    } catch (error) {
      await plane[Symbol.asyncDispose]();
      throw error;
    }
  }

  get config(): ClientConfig {
    return this.admin.config;
  }

  get kubeconfig(): string {
    return this.admin.kubeconfig;
  }

  get kubeconfigPath(): string {
    return this.admin.kubeconfigPath;
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.url + path, { ...init, client: this.#http });
  }

  async auditEvents(): Promise<AuditEvent[]> {
    if (!this.#audit) throw new Error("Cannot read audit events: started without `audit`");
    return parseAuditLog(await Deno.readTextFile(this.#audit));
  }

  async addUser(name: string, groups: readonly string[] = []): Promise<ControlPlaneUser> {
    return this.#user(name, await this.#ca.client(name, groups));
  }

  async killApiserver(): Promise<void> {
    await this.#process.kill();
  }

  async startApiserver(): Promise<void> {
    await this.#process.start();
    let why = "";
    for (let step = 0; step < START_STEPS; step++) {
      why = await this.#notReady();
      if (why === "") return;
      await delay(25);
      if (!await this.#process.running()) {
        why = "it ended";
        break;
      }
    }
    const log = await Deno.readTextFile(join(this.dir, "server.log"));
    throw new Error(`Cannot start the embedded server: ${why}\n${log}`);
  }

  async restartApiserver(): Promise<void> {
    await this.killApiserver();
    await this.startApiserver();
  }

  /** The data file holds the state alone, without the history of watches. */
  async expireHistory(): Promise<string> {
    await this.restartApiserver();
    const list = await (await this.fetch("/api/v1/namespaces?limit=1")).json();
    return list.metadata.resourceVersion;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.close();
    await this.#process[Symbol.asyncDispose]();
    await Deno.remove(this.dir, { recursive: true });
  }

  async #notReady(): Promise<string> {
    try {
      const response = await this.fetch("/readyz");
      const text = await response.text();
      return response.ok ? "" : `${response.status} ${text}`;
    } catch (error) {
      return errorText(error);
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
      source: `user "${name}" of a test's embedded server`,
    };
    return { name, ...pair, config, kubeconfig, kubeconfigPath };
  }
}
