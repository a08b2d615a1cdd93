import { buildGoPrograms, type GoPrograms } from "./programs.ts";

/** The context that all benches of one run share. */
export interface BenchContext {
  /**
   * Sets whether the short form of the bench runs: small sizes, few rounds, less certain figures.
   */
  readonly quick: boolean;
  /** The number of rounds to run, in place of each bench's own number. @default its own number */
  readonly rounds: number | undefined;
  /**
   * The built Go programs; `undefined` where there is no Go, so that rows with peers are left out.
   */
  readonly go: GoPrograms | undefined;
  /** Prints a line on the progress of the bench. */
  readonly say: (line: string) => void;
}

/** The reason why a row that needs a Go program is left out. */
export const NO_GO = "needs Go: no `go` on PATH";

/** Creates the context of a bench run; builds the Go programs of the bench if Go is installed. */
export async function benchContext(
  options: Pick<BenchContext, "quick" | "rounds">,
): Promise<BenchContext> {
  const say = (line: string): void => {
    Deno.stderr.writeSync(new TextEncoder().encode(`# ${line}\n`));
  };
  return { ...options, go: await buildGoPrograms(say), say };
}
