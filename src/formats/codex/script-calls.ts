import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { type ScriptToken, scriptTokens } from './script-tokens.ts';

/** A tool call in a code mode script, with the arguments that its source shows. */
export interface ScriptCall {
  tool: string;
  /** Parts that are known only at run time are omitted, or are `${source}` within a text. */
  arguments: Json;
}

const MAX_SCRIPT_LENGTH = 512 * 1024;
const MAX_CALLS = 64;
const MAX_DEPTH = 12;
/** Limit of look-ahead per token of the script, which keeps the time linear for malicious scripts. */
const MAX_LOOK_AHEAD = 16;

/**
 * The calls `tools.name(…)` in the source of a script, in order. Nothing is executed: literals, constants of literals and
 * mapped lists are read; everything else is unknown.
 */
export function scriptCalls(source: string): ScriptCall[] {
  if (source.length > MAX_SCRIPT_LENGTH) return [];
  return new ScriptReader(source).calls();
}

class ScriptReader {
  readonly #source: string;
  readonly #tokens: readonly ScriptToken[];
  readonly #constants = new Map<string, Json>();
  /** Parameters that represent each item of a list: `for (const x of list)`, `list.map((x) => …)`. */
  readonly #items = new Map<string, readonly Json[]>();

  #looksLeft: number;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = scriptTokens(source);
    this.#looksLeft = this.#tokens.length * MAX_LOOK_AHEAD;
  }

  calls(): ScriptCall[] {
    const calls: ScriptCall[] = [];
    for (let at = 0; this.#isWithin(at) && calls.length < MAX_CALLS; at += 1) {
      this.#declare(at);
      if (this.#isToolCall(at)) calls.push(...this.#callsAt(at));
    }
    return calls.slice(0, MAX_CALLS);
  }

  #isWithin(at: number): boolean {
    this.#looksLeft -= 1;
    return at >= 0 && at < this.#tokens.length && this.#looksLeft > 0;
  }

  #is(at: number, value: string): boolean {
    const token = this.#tokens[at];
    return token !== undefined && (token.type === 'sign' || token.type === 'name') && token.value === value;
  }

  #name(at: number): string | null {
    const token = this.#tokens[at];
    return token?.type === 'name' ? token.value : null;
  }

  #isToolCall(at: number): boolean {
    const isTools = this.#is(at, 'tools') && !this.#is(at - 1, '.');
    return isTools && this.#is(at + 1, '.') && this.#name(at + 2) !== null && this.#is(at + 3, '(');
  }

  /** One call, or one for each item of the list from which its arguments are taken. */
  #callsAt(at: number): ScriptCall[] {
    const tool = this.#name(at + 2)!;
    const parameter = this.#itemsUsedIn(at + 4);
    if (parameter === null) return [{ tool, arguments: this.#value(at + 4)?.value ?? null }];
    return this.#items.get(parameter)!.map((item) => {
      this.#constants.set(parameter, item);
      const call = { tool, arguments: this.#value(at + 4)?.value ?? null };
      this.#constants.delete(parameter);
      return call;
    });
  }

  #itemsUsedIn(start: number): string | null {
    if (this.#items.size === 0) return null;
    for (let at = start, depth = 0; this.#isWithin(at); at += 1) {
      if (this.#is(at, '(')) depth += 1;
      else if (this.#is(at, ')') && depth-- === 0) return null;
      const token = this.#tokens[at]!;
      const names = token.type === 'template' ? token.expressions!.map((text) => text.trim()) : [this.#name(at) ?? ''];
      const found = names.find((name) => this.#items.has(name.split('.')[0]!));
      if (found !== undefined) return found.split('.')[0]!;
    }
    return null;
  }

  /** Records the value of a constant or parameter that is declared here. */
  #declare(at: number): void {
    const name = this.#name(at + 1);
    if (/^(?:const|let|var)$/.test(this.#name(at) ?? '') && name !== null) {
      if (this.#is(at + 2, '=')) this.#remember(name, this.#value(at + 3)?.value);
      else if (this.#is(at + 2, 'of')) this.#rememberItems(name, this.#value(at + 3)?.value);
    } else if (this.#is(at, '.') && /^(?:map|forEach|flatMap)$/.test(name ?? '') && this.#is(at + 2, '(')) {
      const parameter = this.#parameter(at + 3);
      if (parameter !== null) this.#rememberItems(parameter, this.#listBefore(at));
    }
  }

  #remember(name: string, value: Json | undefined): void {
    if (value === undefined) this.#constants.delete(name);
    else this.#constants.set(name, value);
    this.#items.delete(name);
  }

  #rememberItems(name: string, list: Json | undefined): void {
    if (Array.isArray(list) && list.length > 0) this.#items.set(name, list.slice(0, MAX_CALLS));
    else this.#items.delete(name);
  }

  #parameter(start: number): string | null {
    const at = this.#is(start, 'async') ? start + 1 : start;
    if (!this.#is(at, '(')) return this.#is(at + 1, '=>') ? this.#name(at) : null;
    return this.#is(at + 2, ')') || this.#is(at + 2, ',') ? this.#name(at + 1) : null;
  }

  /** The list before `.map`: a constant, or a literal that ends here. */
  #listBefore(at: number): Json | undefined {
    const name = this.#name(at - 1);
    if (name !== null) return this.#constants.get(name);
    if (!this.#is(at - 1, ']')) return undefined;
    for (let start = at - 2, depth = 0; this.#isWithin(start); start -= 1) {
      if (this.#is(start, ']')) depth += 1;
      else if (this.#is(start, '[') && depth-- === 0) return this.#value(start)?.value;
    }
    return undefined;
  }

  /** The value of the expression that begins here, with `+` between texts; undefined if unknown. */
  #value(start: number, depth = 0): { value: Json; end: number } | undefined {
    if (depth > MAX_DEPTH) return undefined;
    let left = this.#operand(this.#is(start, 'await') ? start + 1 : start, depth);
    while (left !== undefined && this.#is(left.end, '+')) {
      const right = this.#operand(left.end + 1, depth);
      if (right === undefined || typeof left.value !== 'string') return left;
      const added = typeof right.value === 'string' ? right.value : JSON.stringify(right.value);
      left = { value: left.value + added, end: right.end };
    }
    return left;
  }

  #operand(at: number, depth: number): { value: Json; end: number } | undefined {
    const token = this.#tokens[at];
    if (token === undefined) return undefined;
    if (token.type === 'text') return { value: token.value, end: at + 1 };
    if (token.type === 'number') return { value: Number(token.value.replaceAll('_', '')) || 0, end: at + 1 };
    if (token.type === 'template') return { value: this.#template(token), end: at + 1 };
    if (this.#is(at, '{')) return this.#object(at, depth);
    if (this.#is(at, '[')) return this.#list(at, depth);
    return token.type === 'name' ? this.#named(at) : undefined;
  }

  #named(at: number): { value: Json; end: number } | undefined {
    const name = this.#name(at)!;
    if (name === 'true' || name === 'false') return { value: name === 'true', end: at + 1 };
    if (name === 'null' || name === 'undefined') return { value: null, end: at + 1 };
    const isRaw = name === 'String' && this.#is(at + 1, '.') && this.#tokens[at + 3]?.type === 'template';
    if (isRaw) return { value: this.#template(this.#tokens[at + 3]!), end: at + 4 };
    const value = this.#constants.get(name);
    if (value === undefined) return undefined;
    const member = this.#is(at + 1, '.') ? this.#name(at + 2) : null;
    if (member === null) return this.#is(at + 1, '(') ? undefined : { value, end: at + 1 };
    const inside = isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
    return inside === undefined ? undefined : { value: inside, end: at + 3 };
  }

  #template({ pieces = [], expressions = [] }: ScriptToken): string {
    return pieces
      .map((piece, at) => (at < expressions.length ? piece + this.#expression(expressions[at]!.trim()) : piece))
      .join('');
  }

  #expression(source: string): string {
    const [name, member, ...more] = source.split('.');
    const value = this.#constants.get(name!);
    const inside = member === undefined ? value : isJsonObject(value) ? value[member] : undefined;
    if (inside === undefined || more.length > 0) return `\${${source}}`;
    return typeof inside === 'string' ? inside : JSON.stringify(inside);
  }

  /** Entries with unknown values are omitted, except texts that begin with a known part. */
  #object(start: number, depth: number): { value: Json; end: number } {
    const object: JsonObject = {};
    let at = start + 1;
    while (this.#isWithin(at) && !this.#is(at, '}')) {
      const key = this.#tokens[at]!;
      const isKey = key.type === 'name' || key.type === 'text' || key.type === 'number';
      const isPair = isKey && this.#is(at + 1, ':');
      const isShort = key.type === 'name' && (this.#is(at + 1, ',') || this.#is(at + 1, '}'));
      const read = isPair ? this.#value(at + 2, depth + 1) : isShort ? this.#named(at) : undefined;
      if (read !== undefined && this.#isEnd(read.end)) object[key.value] = read.value;
      else if (isPair) this.#keepSource(object, key.value, at + 2);
      at = this.#next(read?.end ?? at);
    }
    return { value: object, end: at + 1 };
  }

  /** Keeps the source of an unknown command. */
  #keepSource(object: JsonObject, key: string, at: number): void {
    const [first, last] = [this.#tokens[at], this.#tokens[this.#endOfEntry(at) - 1]];
    if (/^(?:cmd|command|input|patch)$/.test(key) && first !== undefined && last !== undefined)
      object[key] = `\${${this.#source.slice(first.start, last.end)}}`;
  }

  #list(start: number, depth: number): { value: Json; end: number } {
    const list: Json[] = [];
    let at = start + 1;
    while (this.#isWithin(at) && !this.#is(at, ']')) {
      const read = this.#value(at, depth + 1);
      if (read !== undefined && this.#isEnd(read.end)) list.push(read.value);
      at = this.#next(read?.end ?? at);
    }
    const joint = this.#tokens[at + 4];
    const isJoined =
      this.#is(at + 1, '.') && this.#is(at + 2, 'join') && this.#is(at + 3, '(') && this.#is(at + 5, ')');
    if (isJoined && joint?.type === 'text') return { value: list.join(joint.value), end: at + 6 };
    return { value: list, end: at + 1 };
  }

  #isEnd(at: number): boolean {
    return [',', '}', ']', ')', ';'].some((sign) => this.#is(at, sign));
  }

  /** The next entry after the comma that ends this one, or the bracket that closes the whole. */
  #next(at: number): number {
    const end = this.#endOfEntry(at);
    return this.#is(end, ',') ? end + 1 : end;
  }

  #endOfEntry(start: number): number {
    for (let at = start, depth = 0; this.#isWithin(at); at += 1) {
      if (['(', '[', '{'].some((sign) => this.#is(at, sign))) depth += 1;
      else if ([')', ']', '}'].some((sign) => this.#is(at, sign)) && depth-- === 0) return at;
      else if (depth === 0 && this.#is(at, ',')) return at;
    }
    return this.#tokens.length;
  }
}
