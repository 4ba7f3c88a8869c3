import { TypeID } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { newId } from './id.ts';

const at = (ms: number) => ({ now: () => ms });

describe('newId', () => {
  it('is a TypeID over a UUIDv7 of the clock', () => {
    const id = newId('det', at(0x0190_1234_5678), () => new Uint8Array(10).fill(0xff));
    expect(TypeID.fromString(id).toUUID()).toBe('01901234-5678-7fff-bfff-ffffffffffff');
  });

  it('sorts by time', () => {
    const ids = [1, 999, 1_000, 1_764_000_000_000, 1_764_000_000_001].map((ms) => newId('op', at(ms)));
    expect(ids.toSorted()).toEqual(ids);
  });

  it('differs within a millisecond', () => {
    const ids = new Set(Array.from({ length: 1_000 }, () => newId('op', at(5))));
    expect(ids.size).toBe(1_000);
  });

  it('differs by its random part alone', () => {
    const zero = () => new Uint8Array(10);
    expect(newId('op', at(5), zero)).toBe(newId('op', at(5), zero));
  });
});
