import type { Attributes } from './span.ts';

/**
 * Joins the attributes of a span that arrives in many parts. The first join creates an object; later joins add to it, so the
 * time is linear in the size of the parts. Objects created elsewhere are never changed.
 */
export class AttributeJoiner {
  readonly #made = new WeakSet<Attributes>();

  /** Merges both; `later` wins. */
  join(earlier: Attributes, later: Attributes): Attributes {
    if (this.#made.has(earlier)) {
      for (const key of Object.keys(later)) set(earlier, key, later[key]!);
      return earlier;
    }
    if (this.#made.has(later)) {
      for (const key of Object.keys(earlier)) if (!Object.hasOwn(later, key)) set(later, key, earlier[key]!);
      return later;
    }
    const made = { ...earlier, ...later };
    this.#made.add(made);
    return made;
  }
}

/** Assigning to `__proto__` would change the prototype. */
function set(attributes: Attributes, key: string, value: Attributes[string]): void {
  if (key === '__proto__')
    Object.defineProperty(attributes, key, { value, enumerable: true, writable: true, configurable: true });
  else attributes[key] = value;
}
