import '../testing/browser.tsx';
import { href } from '../ui/address.ts';
import { scopeOf, teamFilters, teamHref } from './team-scope.tsx';

const [shop, several] = [['shop'], ['shop', 'web']].map((owners) => ({ label: 'team', owners }));

test('a list of the team is all of its objects, and a further filter is neither', () => {
  expect(teamFilters(several!)).toEqual({ selector: 'team in (shop,web)' });
  const scopes = [{}, { region: 'eu' }, teamFilters(shop!), { selector: 'team=shop,tier=gold' }].map((filters) =>
    scopeOf(shop!, filters),
  );
  expect(scopes).toEqual(['all', 'all', 'team', undefined]);
});

test('the menu opens the lists of the team, and other pages as they are', () => {
  const addresses = [['nodes'], ['agents'], ['clusters'], ['configuration', 'audit']].map((page) => href(page));
  expect(addresses.map((address) => teamHref(undefined, address))).toEqual(addresses);
  expect(addresses.map((address) => teamHref(shop, address))).toEqual([
    href(['nodes'], { selector: 'team=shop' }),
    href(['agents'], { selector: 'team=shop' }),
    href(['clusters'], { owner: 'shop' }),
    addresses[3],
  ]);
  expect(teamHref(several, href(['clusters']))).toBe(href(['clusters']));
});
