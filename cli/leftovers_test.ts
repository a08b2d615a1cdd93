/**
 * Tests of the files that remain after a command with an embedded API server, however it ends: no
 * administrator's key.
 */
import assert from "node:assert/strict";

/** The result of a process that ended. */
interface Ended {
  readonly code: number;
  readonly stderr: string;
  /** The remaining entries of the process's folder for temporary files. */
  readonly left: readonly string[];
}

interface Ending {
  /** The command line arguments of the process. */
  readonly words: readonly string[];
  /** Source text with members that replace those of the process's context, which is `own`. */
  readonly context?: string;
  /** Source text of the reconciler in the module that is run in place of MODULE. */
  readonly reconcile?: string;
  /** Source text that the module runs when it is loaded. */
  readonly load?: string;
}

async function endOf({ words, context = "", reconcile = "", load = "" }: Ending): Promise<Ended> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  try {
    await Deno.mkdir(`${folder}/tmp`);
    await Deno.writeTextFile(
      `${folder}/operator.ts`,
      `import { controllerFor, defineOperator } from ${at("../lib/controller/mod.ts")};
       import { ConfigMap } from ${at("../lib/apimachinery/meta/mod.ts")};
       ${load}
       export default defineOperator({
         name: "leaver",
         controllers: [controllerFor(ConfigMap).reconcile(() => {
           ${reconcile}
         })],
       });`,
    );
    await Deno.writeTextFile(
      `${folder}/seed.yaml`,
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
    );
    const program = `import { runCli } from ${at("./app.ts")};
      import { processContext } from ${at("./context.ts")};
      const own = processContext();
      Deno.exit(await runCli(Deno.args, { ...own, ${context} }));`;
    await Deno.writeTextFile(`${folder}/main.ts`, program);
    const root = new URL("../deno.json", import.meta.url).pathname;
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--quiet", `--config=${root}`, "main.ts", ...words],
      cwd: folder,
      env: { TMPDIR: `${folder}/tmp`, XCA_HANGUP: "ends", NO_COLOR: "1" },
    }).output();
    const left = [...Deno.readDirSync(`${folder}/tmp`)].map(({ name }) => name);
    return { code, stderr: new TextDecoder().decode(stderr), left };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const EMBEDDED = ["run", "./operator.ts", "--embedded", "--seed", "seed.yaml"];

/** Returns source text that sends a signal to the process as soon as it prints the kubeconfig. */
function killedWhenUp(signal: string): string {
  return `out: (text) => { own.out(text); Deno.kill(Deno.pid, "${signal}"); }`;
}

Deno.test("serve removes its kubeconfig when its terminal is closed, and exits 129", async () => {
  const { code, stderr, left } = await endOf({ words: ["serve"], context: killedWhenUp("SIGHUP") });
  assert.deepEqual({ code, left }, { code: 129, left: [] }, stderr);
  assert.match(stderr, /Stopping on SIGHUP; once more ends at once\./);
});

Deno.test("run --embedded interrupted at its start leaves no files, and exits 130", async () => {
  const { code, stderr, left } = await endOf({
    words: EMBEDDED,
    context: `onInterrupt: (callback) => {
      queueMicrotask(() => Deno.kill(Deno.pid, "SIGINT"));
      return own.onInterrupt(callback);
    }`,
  });
  assert.deepEqual({ code, left }, { code: 130, left: [] }, stderr);
});

Deno.test("run --embedded leaves no files when the operator or a second interrupt ends the process", async () => {
  const exits = await endOf({ words: EMBEDDED, reconcile: "Deno.exit(7);" });
  assert.deepEqual({ code: exits.code, left: exits.left }, { code: 7, left: [] }, exits.stderr);
  const twice = await endOf({
    words: EMBEDDED,
    reconcile: `
      setInterval(() => Deno.kill(Deno.pid, "SIGINT"), 20);
      return new Promise(() => {});`,
  });
  assert.deepEqual({ code: twice.code, left: twice.left }, { code: 130, left: [] }, twice.stderr);
});

Deno.test("run --once continues after an unhandled error of the module, names its line, and exits 1", async () => {
  const late = 'throw new Error("late")';
  const endings: [Partial<Ending>, RegExp][] = [
    [{ reconcile: `Promise.reject(new Error("late"));` }, /not awaited was rejected.*"late"/],
    [{ load: `Promise.reject(new Error("late"));` }, /not awaited was rejected.*"late"/],
    [{
      reconcile: `setTimeout(() => { ${late} }, 0);
      return new Promise((resolve) => setTimeout(resolve, 20));`,
    }, /error that is not caught.*"late"/],
  ];
  for (const [what, message] of endings) {
    const { code, stderr, left } = await endOf({ words: [...EMBEDDED, "--once"], ...what });
    assert.deepEqual({ code, left }, { code: 1, left: [] }, stderr);
    assert.match(stderr, message);
    assert.match(stderr, / error="late" at="operator\.ts:\d+"\n/);
    assert.match(
      stderr,
      /\nerror: the operator neither awaits nor catches an error, logged above\n/,
    );
    assert(!/^\s+at /m.test(stderr), stderr);
  }
});
