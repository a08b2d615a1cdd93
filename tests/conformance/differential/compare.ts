import type { Exchange } from "../normalise.ts";
import type { Send } from "../target.ts";
import { play, type Sequence } from "./play.ts";

/** Two servers to compare. */
export interface Pair {
  readonly real: Send;
  readonly embedded: Send;
}

/** The first difference between two servers. */
export interface Difference {
  readonly index: number;
  readonly real: Exchange | undefined;
  readonly embedded: Exchange | undefined;
}

/**
 * Plays a sequence on both and gives the first difference, if there is one. There is none where the
 * real server panics, and breaks the connection.
 */
export async function compare(pair: Pair, sequence: Sequence): Promise<Difference | undefined> {
  const [real, embedded] = await Promise.all([
    play("kube-apiserver", pair.real, sequence).catch(refuseAllButBroken),
    play("embedded", pair.embedded, sequence),
  ]);
  if (real === undefined) return undefined;
  for (let index = 0; index < Math.max(real.length, embedded.length); index++) {
    if (JSON.stringify(real[index]) !== JSON.stringify(embedded[index])) {
      return { index, real: real[index], embedded: embedded[index] };
    }
  }
  return undefined;
}

function refuseAllButBroken(error: unknown): undefined {
  const { cause } = error as Error;
  if (/connection closed before message completed/.test(String(cause))) return undefined;
  throw error;
}

/**
 * Reports whether the real server answers now and then what the embedded one did: the order in which it walks
 * a map, an address that it gave anew, a second that began between two requests. So it differs from
 * itself, and not from the embedded server.
 */
export async function isByChance(
  pair: Pair,
  sequence: Sequence,
  { index, embedded }: Difference,
  tries = 12,
): Promise<boolean> {
  const wanted = JSON.stringify(embedded);
  for (let left = tries; left > 0; left--) {
    const real = await play("kube-apiserver", pair.real, sequence).catch(refuseAllButBroken);
    if (JSON.stringify(real?.[index]) === wanted) return true;
  }
  return false;
}

/**
 * A smaller sequence that still shows a difference: operations, then watches, then parts of bodies
 * are taken away as long as one is left. `tries` bounds how often it is played.
 */
export async function shrink(pair: Pair, sequence: Sequence, tries = 400): Promise<Sequence> {
  let smallest = sequence;
  let left = tries;
  const attempt = async (candidate: Sequence): Promise<boolean> => {
    if (left-- <= 0) return false;
    if (await compare(pair, candidate) === undefined) return false;
    smallest = candidate;
    return true;
  };

  const first = await compare(pair, sequence);
  if (first === undefined) return sequence;
  if (first.index < sequence.operations.length) {
    await attempt({ operations: sequence.operations.slice(0, first.index + 1), watches: [] });
  }
  for (
    let size = Math.ceil(smallest.operations.length / 2);
    size >= 1;
    size = Math.floor(size / 2)
  ) {
    for (let from = smallest.operations.length - size; from >= 0; from -= size) {
      const operations = smallest.operations.toSpliced(from, size);
      await attempt({ ...smallest, operations });
      from = Math.min(from, smallest.operations.length);
    }
  }
  for (let index = smallest.watches.length - 1; index >= 0; index--) {
    await attempt({ ...smallest, watches: smallest.watches.toSpliced(index, 1) });
  }
  for (let index = smallest.operations.length - 1; index >= 0; index--) {
    for (const field of ["query", "body"] as const) {
      let path = 0;
      while (left > 0) {
        const operation = smallest.operations[index]!;
        const shorter = withoutPart(operation[field], path);
        if (shorter === undefined) break;
        const operations = smallest.operations.with(
          index,
          {
            ...operation,
            [field]: shorter.value,
          } as typeof operation,
        );
        if (!await attempt({ ...smallest, operations })) path++;
      }
    }
  }
  return smallest;
}

/**
 * The value without its `index`th part, counted depth first; `undefined` when it has no such part.
 */
function withoutPart(value: unknown, index: number): { readonly value: unknown } | undefined {
  const copy = structuredClone(value);
  let left = index;
  const remove = (node: unknown): boolean => {
    if (node === null || typeof node !== "object") return false;
    for (const key of Object.keys(node)) {
      if (left-- === 0) {
        if (Array.isArray(node)) node.splice(Number(key), 1);
        else delete (node as Record<string, unknown>)[key];
        return true;
      }
      if (remove((node as Record<string, unknown>)[key])) return true;
    }
    return false;
  };
  return remove(copy) ? { value: copy } : undefined;
}
