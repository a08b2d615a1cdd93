import { buildGoPrograms, type GoPrograms } from "./programs.ts";

/** What all benches of one run share. */
export interface BenchContext {
  /** Whether the short form is wanted: small sizes, few rounds, figures less sure. */
  readonly quick: boolean;
  /** How many rounds to run, in place of so many as a bench finds right. @default its own number */
  readonly rounds: number | undefined;
  /** The Go programs; `undefined` where there is no Go, so that rows with peers are left out. */
  readonly go: GoPrograms | undefined;
  /** Tells the user how far it is. */
  readonly say: (line: string) => void;
}

/** Why a row that needs a Go program is left out. */
export const NO_GO = "needs Go: no `go` on PATH";

/** Makes the context of a run. */
export async function benchContext(
  options: Pick<BenchContext, "quick" | "rounds">,
): Promise<BenchContext> {
  const say = (line: string): void => {
    Deno.stderr.writeSync(new TextEncoder().encode(`# ${line}\n`));
  };
  return { ...options, go: await buildGoPrograms(say), say };
}
