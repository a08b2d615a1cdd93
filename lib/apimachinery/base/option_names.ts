/**
 * The type of a record with a key for each option of a function, so that a new option that is
 * missing in the record does not compile. The value is `true`, or such a record of the inner
 * options when the option is an object.
 */
export type OptionNames<Options> = {
  readonly [Name in keyof Options]-?: true | OptionNames<NonNullable<Options[Name]>>;
};

/**
 * The type of records of option names like {@linkcode OptionNames}, for options of an unknown type.
 */
interface Names {
  readonly [name: string]: true | Names;
}

/**
 * Checks that each option of a caller is known: a program may be run without a type check, and a
 * misspelt option would silently have no effect. An option with the value `undefined` counts as
 * absent. `failure` is the beginning of the error's message.
 *
 * @throws {TypeError} When the options, or an option with inner ones, are not an object, or when an
 * option is unknown.
 */
export function checkOptionNames<Options extends object>(
  failure: string,
  options: unknown,
  known: OptionNames<Options>,
): void {
  if (!isRecord(options)) {
    throw new TypeError(`${failure}: its options must be an object, are ${described(options)}`);
  }
  checkNames(failure, options, known as unknown as Names, "");
}

function checkNames(
  failure: string,
  options: Readonly<Record<string, unknown>>,
  known: Names,
  path: string,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const inner = Object.hasOwn(known, name) ? known[name] : undefined;
    if (inner === undefined) {
      const names = Object.keys(known).map((each) => path + each).join(", ");
      throw new TypeError(`${failure}: there is no option ${path}${name}, only ${names}`);
    }
    if (inner === true) continue;
    if (!isRecord(value)) {
      throw new TypeError(`${failure}: ${path}${name} must be an object, is ${described(value)}`);
    }
    checkNames(failure, value, inner, `${path}${name}.`);
  }
}

/**
 * Returns the description of a user's value for an error message, such as `of type string`. It has
 * the type alone, since the value may be large, or throw when it is printed.
 */
export function described(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  return Array.isArray(value) ? "an array" : `of type ${typeof value}`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
