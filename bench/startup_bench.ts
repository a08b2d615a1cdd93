import type { BenchContext } from "./context.ts";
import type { Row } from "./measure.ts";
export function startupRows(_context: BenchContext): Promise<Row[]> {
  return Promise.resolve([]);
}
