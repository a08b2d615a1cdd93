/** Values that break code which takes for granted what a thrown or returned value can do. */

/** A function that returns a new hostile value at each call, and a description of the value. */
export interface HostileValue {
  readonly what: string;
  readonly make: () => unknown;
}

function thrower(): never {
  throw new Error("touched");
}

function errorWith(member: "message" | "name" | "stack" | "cause", descriptor: PropertyDescriptor) {
  return Object.defineProperty(new Error("odd"), member, descriptor);
}

const TRAPS: readonly (keyof ProxyHandler<object>)[] = [
  "get",
  "has",
  "ownKeys",
  "getPrototypeOf",
  "getOwnPropertyDescriptor",
  "set",
  "defineProperty",
  "deleteProperty",
  "apply",
  "construct",
];

function trapped(target: object, except: readonly string[] = []): unknown {
  const traps = TRAPS.filter((name) => !except.includes(name));
  return new Proxy(target, Object.fromEntries(traps.map((name) => [name, thrower])));
}

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function circular(): unknown {
  const object: Record<string, unknown> = { requeueAfter: 1 };
  object.self = object;
  return object;
}

const VALUES: Record<string, () => unknown> = {
  "an object without a prototype": () => Object.create(null),
  "an object without a prototype, with members": () =>
    Object.assign(Object.create(null), { a: Object.create(null) }),
  "an Error whose message getter throws": () => errorWith("message", { get: thrower }),
  "an Error whose name getter throws": () => errorWith("name", { get: thrower }),
  "an Error whose stack getter throws": () => errorWith("stack", { get: thrower }),
  "an Error whose cause getter throws": () => errorWith("cause", { get: thrower }),
  "an Error whose causes never end": () => {
    const next = (): Error => errorWith("cause", { get: next });
    return next();
  },
  "an Error whose message is a symbol": () => errorWith("message", { value: Symbol("odd") }),
  "an Error whose message is an object": () =>
    errorWith("message", { value: { toString: thrower } }),
  "an Error whose stack is a number": () => errorWith("stack", { value: 7 }),
  "an Error whose getters throw at the second call": () => {
    let calls = 0;
    return errorWith("message", { get: () => calls++ > 0 ? thrower() : "first" });
  },
  "a frozen Error": () => Object.freeze(new Error("frozen")),
  "a Proxy all of whose traps throw": () => trapped({}),
  "a Proxy of an Error all of whose traps throw": () => trapped(new Error("inside")),
  "a Proxy of a function all of whose traps throw": () => trapped(() => {}),
  "a Proxy that has every member": () => new Proxy({}, { has: () => true, get: thrower }),
  "a Proxy whose every member is true": () => new Proxy({}, { has: () => true, get: () => true }),
  "a Proxy with members but no prototype": () => trapped({ requeueAfterMs: 5_000 }, ["has", "get"]),
  "a revoked Proxy": revoked,
  "a thenable that throws": () => ({ then: thrower }),
  "an object whose then getter throws": () => Object.defineProperty({}, "then", { get: thrower }),
  "a thenable that rejects with a revoked Proxy": () => ({
    then: (_: unknown, reject: (reason: unknown) => void) => reject(revoked()),
  }),
  "a symbol": () => Symbol("odd"),
  "a symbol without a description": () => Symbol(),
  "a bigint": () => 2n ** 70n,
  "NaN": () => NaN,
  "false": () => false,
  "nothing": () => undefined,
  "null": () => null,
  "an empty string": () => "",
  "a huge string": () => "x".repeat(4_000_000),
  "a huge string of line ends": () => " \n".repeat(1_000_000),
  "a string of controls and half a surrogate": () => "\x00\x1b[2J\ud800{key}{",
  "a function": () => thrower,
  "an object whose toString throws": () => ({ toString: thrower }),
  "an object whose toString gives an object": () => ({ toString: () => ({}), valueOf: () => ({}) }),
  "an object whose toJSON throws": () => ({ toJSON: thrower }),
  "an object whose toJSON is undefined": () => ({ toJSON: () => undefined }),
  "an object whose toPrimitive throws": () => ({ [Symbol.toPrimitive]: thrower }),
  "an object whose constructor throws": () =>
    Object.defineProperty({ a: 1 }, "constructor", { get: thrower }),
  "an object whose length lies": () => ({ length: -1, 0: "a" }),
  "an object that refers to itself": circular,
  "an iterable that throws": () => ({ [Symbol.iterator]: thrower }),
  "an iterable whose next throws": () => ({ [Symbol.iterator]: () => ({ next: thrower }) }),
  "an array of hostile values": () => [Symbol("odd"), revoked(), { toString: thrower }],
  "a Date that is none": () => new Date(NaN),
  "a requeueAfterMs that throws": () =>
    Object.defineProperty({}, "requeueAfterMs", { get: thrower, enumerable: true }),
  "a requeueAfterMs that is hostile": () => ({ requeueAfterMs: Symbol("odd") }),
  "a requeueAfterMs that is a Proxy": () => ({ requeueAfterMs: trapped({}) }),
  "a DOMException": () => new DOMException("odd", "AbortError"),
  "an AggregateError of hostile values": () =>
    new AggregateError([revoked(), Symbol("odd")], "odd"),
};

/** The hostile values. */
export const HOSTILE_VALUES: readonly HostileValue[] = Object.entries(VALUES)
  .map(([what, make]) => ({ what, make }));
