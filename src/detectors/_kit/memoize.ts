/** Memoizes a function of one object in a WeakMap: the value is computed on first use and lives as long as the object. */
export function memoizeByRef<Thing extends object, Value>(make: (thing: Thing) => Value): (thing: Thing) => Value {
  const made = new WeakMap<Thing, { value: Value }>();
  return (thing) => {
    let known = made.get(thing);
    if (known === undefined) {
      known = { value: make(thing) };
      made.set(thing, known);
    }
    return known.value;
  };
}

/** A lazy value, computed on first use. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
