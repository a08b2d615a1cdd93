/** Small shell programs that play credential plugins. */
import { join } from "node:path";
import type { ExecConfig } from "../../lib/client/config/plugin_config.ts";

/** A folder with a plugin in it, removed when it is disposed. */
export class PluginScript implements AsyncDisposable {
  /** The folder. */
  readonly dir: string;
  /** The program. */
  readonly path: string;

  private constructor(dir: string) {
    this.dir = dir;
    this.path = join(dir, "plugin");
  }

  /** Writes a plugin whose shell commands are `body`; `$dir` in them is the folder. */
  static async write(body: string): Promise<PluginScript> {
    const plugin = new PluginScript(await Deno.realPath(await Deno.makeTempDir()));
    await plugin.rewrite(body);
    return plugin;
  }

  /** Writes one that prints an `ExecCredential` with this status, and notes each run. */
  static async printing(
    status: unknown,
    fields: Record<string, unknown> = {},
  ): Promise<PluginScript> {
    const plugin = await PluginScript.write('echo run >> "$dir/runs"; cat "$dir/output"');
    await plugin.print(status, fields);
    return plugin;
  }

  /** Replaces its commands. */
  async rewrite(body: string): Promise<void> {
    const next = `${this.path}.next`;
    await Deno.writeTextFile(next, `#!/bin/sh\ndir='${this.dir}'\n${body}\n`, { mode: 0o755 });
    await Deno.rename(next, this.path);
  }

  /** Replaces what {@linkcode PluginScript.printing} prints. */
  async print(status: unknown, fields: Record<string, unknown> = {}): Promise<void> {
    const document = { apiVersion: V1, kind: "ExecCredential", status, ...fields };
    await Deno.writeTextFile(join(this.dir, "output"), JSON.stringify(document));
  }

  /** The number of runs of the plugin. */
  async runs(): Promise<number> {
    return (await this.read("runs").catch(() => "")).split("\n").length - 1;
  }

  /** A file that it left in its folder. */
  read(name: string): Promise<string> {
    return Deno.readTextFile(join(this.dir, name));
  }

  /** A configuration that runs it. */
  config(fields: Partial<ExecConfig> = {}): ExecConfig {
    return {
      apiVersion: V1,
      command: this.path,
      interactiveMode: "Never",
      place: "users[name=bob].user.exec in /x/config",
      ...fields,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.dir, { recursive: true });
  }
}

/** The version of the protocol that the plugins speak. */
export const V1 = "client.authentication.k8s.io/v1";
