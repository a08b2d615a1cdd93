/** The steps of a new project's Dockerfile, carried out without a container engine. */
import assert from "node:assert/strict";
import { newcomer, succeeds } from "../support/command_line/newcomer.ts";

/** Returns the words of a step of the Dockerfile in its exec form, such as `CMD ["run", "main.js"]`. */
function wordsOf(dockerfile: string, step: string): string[] {
  const joined = dockerfile.replaceAll("\\\n", "");
  const line = joined.split("\n").findLast((each) => each.startsWith(`${step} [`));
  assert(line, `the Dockerfile has no ${step}`);
  return JSON.parse(line.slice(step.length + 1)) as string[];
}

Deno.test("the image of a new project contains the compiled code of its program, which a start uses", async () => {
  await using user = await newcomer();
  await succeeds(user.call(".", "kubectl-xca", "init", "shop", "--kind=Order"));
  await succeeds(user.call("shop", "deno", "task", "bundle"));
  const dockerfile = await Deno.readTextFile(`${user.path}/shop/Dockerfile`);
  const app = `${user.path}/app`;
  await Deno.mkdir(app);
  await Deno.copyFile(`${user.path}/shop/dist/main.js`, `${app}/main.js`);
  const deno = async (words: readonly string[]): Promise<{ code: number; stderr: string }> => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...words],
      cwd: app,
      env: { DENO_DIR: `${app}/deno`, DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    return { code, stderr: new TextDecoder().decode(stderr) };
  };

  const [program, ...build] = wordsOf(dockerfile, "RUN");
  assert.equal(program, "/usr/bin/deno");
  const built = await deno(build);
  assert.equal(built.code, 0, built.stderr);

  const start = wordsOf(dockerfile, "CMD");
  const flags = (words: readonly string[]) => words.filter((each) => each.startsWith("--v8-flags"));
  assert.deepEqual(flags(start), flags(build)); // Others could not use the code.
  const [run = "", ...rest] = start;
  const started = await deno([run, "--log-level=debug", ...rest]);
  assert.match(started.stderr, /V8 code cache hit for ES module: file:.*\/app\/main\.js/);
  assert.match(started.stderr, /KUBERNETES_SERVICE_HOST/); // Outside of a cluster it ends there.
});
