import { realTest } from "../real/suite.ts";
import { Soak } from "./soak.ts";

realTest("soak: one round of random faults ends in the correct state", async () => {
  const seed = Number(Deno.env.get("XCA_SEED") ?? Math.floor(Math.random() * 2 ** 31));
  const lines: string[] = [`seed=${seed}`];
  const print = (line: string): void => void lines.push(line);
  const soak = new Soak({ seed, memory: false, goesOn: () => false, print });
  try {
    await soak.run();
  } catch (error) {
    throw new Error([...lines, ...soak.schedule].join("\n"), { cause: error });
  }
});
