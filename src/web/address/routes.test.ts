import { describe, expect, it } from 'vitest';
import { pathTo, placeOf, ROUTES, type RouteName } from './routes.ts';

describe('the address of a place', () => {
  it.each([
    [pathTo('issues'), '/ui/issues'],
    [pathTo('issues', { status: 'open', q: '' }), '/ui/issues?status=open'],
    [pathTo('issue', { id: 'iss_1' }, { sort: 'cost' }), '/ui/issues/iss_1?sort=cost'],
    [pathTo('trace', { id: 'a/b?c' }, { t: '1-2', span: 's&x' }), '/ui/traces/a%2Fb%3Fc?span=s%26x&t=1-2'],
  ])('%s', (path, expected) => expect(path).toBe(expected));

  it('leads back to the place', () => {
    const path = pathTo('trace', { id: 'a/b?c' }, { span: 's&x', view: 'timeline' });
    const { pathname, search } = new URL(path, 'http://any.test');
    expect(placeOf(pathname, search)).toEqual({
      name: 'trace',
      params: { id: 'a/b?c' },
      query: { span: 's&x', view: 'timeline' },
    });
  });
});

describe('the place of an address', () => {
  it.each(Object.entries(ROUTES))('finds %s', (name, { path }) => {
    expect(placeOf(path.replaceAll(/:\w+/g, 'x'), '')?.name).toBe(name as RouteName);
  });

  it.each(['/ui/nothing', '/ui/traces/a/b', '/api/v1/health', '/ui/traces/%E0%A4%A'])('has none for %s', (path) =>
    expect(placeOf(path, '')).toBeNull(),
  );

  it('ends with or without a slash, and ignores parts of the query it does not know', () => {
    expect(placeOf('/ui/issues/', '?status=open&utm=x&q=')).toEqual({
      name: 'issues',
      params: {},
      query: { status: 'open' },
    });
  });
});
