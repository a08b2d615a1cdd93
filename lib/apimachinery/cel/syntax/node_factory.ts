// Mirrors `common/ast/factory.go, ExprFactory`.
import type { CelValue } from "../values/value.ts";
import {
  ACCUMULATOR,
  type Call,
  type Comprehension,
  type Expr,
  type Ident,
  type ListExpr,
  type Literal,
  type MapExpr,
  type Select,
} from "./ast.ts";

/**
 * The fields of a CEL loop ({@linkcode Comprehension}) that the caller of a factory sets; the
 * factory sets the others.
 */
export type ComprehensionParts = Omit<Comprehension, "kind" | "id" | "offset" | "accumulator">;

/** A factory of CEL syntax nodes, which numbers the nodes that it creates. */
export class NodeFactory {
  #next = 1;

  /**
   * Returns the next number (`id`) for a CEL syntax node. Callers need it only for nodes that they
   * create without the factory.
   */
  id(): number {
    return this.#next++;
  }

  literal(offset: number, value: CelValue): Literal {
    return { kind: "literal", id: this.id(), offset, value };
  }

  ident(offset: number, name: string): Ident {
    return { kind: "ident", id: this.id(), offset, name };
  }

  accumulator(offset: number): Ident {
    return this.ident(offset, ACCUMULATOR);
  }

  select(offset: number, operand: Expr, field: string, testOnly = false): Select {
    return { kind: "select", id: this.id(), offset, operand, field, testOnly };
  }

  call(offset: number, name: string, ...args: readonly Expr[]): Call {
    return { kind: "call", id: this.id(), offset, name, target: undefined, args };
  }

  method(offset: number, name: string, target: Expr, ...args: readonly Expr[]): Call {
    return { kind: "call", id: this.id(), offset, name, target, args };
  }

  list(
    offset: number,
    elements: readonly Expr[],
    optional: ReadonlySet<number> = new Set(),
  ): ListExpr {
    return { kind: "list", id: this.id(), offset, elements, optional };
  }

  map(offset: number, entries: MapExpr["entries"] = []): MapExpr {
    return { kind: "map", id: this.id(), offset, entries };
  }

  comprehension(
    offset: number,
    parts: ComprehensionParts,
    accumulator: string = ACCUMULATOR,
  ): Comprehension {
    return { kind: "comprehension", id: this.id(), offset, accumulator, ...parts };
  }
}
