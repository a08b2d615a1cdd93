import { join } from "node:path";
import { type Figures, Program } from "./programs.ts";
import { PodMaker } from "./realistic_pods.ts";

/** The running replay server, which sends generated pods to informers. See `replay/main.go`. */
export class ReplayServer implements AsyncDisposable {
  /** The mean size of a replayed pod's JSON, in bytes. */
  readonly podBytes: number;
  /** The path of the file with the certificate of the replay server's authority. */
  readonly caFile: string;
  readonly #program: Program;
  readonly #server: string;
  readonly #client: Deno.HttpClient;
  /** The folder of the replay server's files, which is removed with it. */
  readonly dir: string;
  #runs = 0;

  private constructor(
    program: Program,
    { server, ca, bytes, dir }: { server: string; ca: string; bytes: Figures; dir: string },
  ) {
    this.#program = program;
    this.#server = server;
    this.dir = dir;
    this.podBytes = bytes.json! - '{"type":"ADDED","object":}\n'.length;
    this.caFile = join(dir, "ca.pem");
    Deno.writeTextFileSync(this.caFile, ca);
    this.#client = Deno.createHttpClient({ caCerts: [ca] });
  }

  /** Starts the replay server with the given number of pods. */
  static async start(path: string, pods: number): Promise<ReplayServer> {
    const program = new Program("replay", path, []);
    const maker = new PodMaker();
    let text = "";
    for (let i = 0; i < pods; i++) {
      text += JSON.stringify(maker.pod(i, 1_000_000_000 + i)) + "\n";
      if (text.length < 1 << 20) continue;
      await program.write(text);
      text = "";
    }
    await program.write(text + "\n");
    const dir = await Deno.makeTempDir({ prefix: "xca-bench-" });
    return new ReplayServer(program, { ...JSON.parse(await program.line()), dir });
  }

  /**
   * Returns the URL for one client of the replay server, under which the first `pods` pods exist.
   */
  async run(pods: number): Promise<string> {
    const url = `${this.#server}/run-${++this.#runs}`;
    const answer = await fetch(`${url}/-/pods?n=${pods}`, { method: "POST", client: this.#client });
    await answer.body?.cancel();
    return url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.#program[Symbol.asyncDispose]();
    await Deno.remove(this.dir, { recursive: true });
  }
}
