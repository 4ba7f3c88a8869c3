/** What is made of each thing when it is first asked for, kept as long as the thing itself. */
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

/** The value made when it is first asked for, and the same from then on. */
export function lazy<Value>(make: () => Value): () => Value {
  let made: { value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
