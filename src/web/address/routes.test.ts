import { describe, expect, it } from 'vitest';
import { matchRoute, pathTo, ROUTES, type RouteName } from './routes.ts';

describe('pathTo', () => {
  it.each([
    [pathTo('issues'), '/ui/issues'],
    [pathTo('issues', { status: 'open', q: '' }), '/ui/issues?status=open'],
    [pathTo('issue', { id: 'iss_1' }, { sort: 'cost' }), '/ui/issues/iss_1?sort=cost'],
    [pathTo('trace', { id: 'a/b?c' }, { t: '1-2', span: 's&x' }), '/ui/traces/a%2Fb%3Fc?span=s%26x&t=1-2'],
  ])('builds %s', (path, expected) => expect(path).toBe(expected));

  it('is the inverse of matchRoute', () => {
    const path = pathTo('trace', { id: 'a/b?c' }, { span: 's&x', view: 'timeline' });
    const { pathname, search } = new URL(path, 'http://any.test');
    expect(matchRoute(pathname, search)).toEqual({
      name: 'trace',
      params: { id: 'a/b?c' },
      query: { span: 's&x', view: 'timeline' },
    });
  });
});

describe('matchRoute', () => {
  it.each(Object.entries(ROUTES))('finds %s', (name, { path }) => {
    expect(matchRoute(path.replaceAll(/:\w+/g, 'x'), '')?.name).toBe(name as RouteName);
  });

  it.each(['/ui/nothing', '/ui/traces/a/b', '/api/v1/health', '/ui/traces/%E0%A4%A'])('returns null for %s', (path) =>
    expect(matchRoute(path, '')).toBeNull(),
  );

  it('accepts a trailing slash and ignores unknown query parameters', () => {
    expect(matchRoute('/ui/issues/', '?status=open&utm=x&q=')).toEqual({
      name: 'issues',
      params: {},
      query: { status: 'open' },
    });
  });
});
