import { parseSelector } from '../../../shared/selector/parse-selector.ts';
import { node, service } from '../../../tests/support/store.ts';
import { MAX_LABELS } from '../../domain/fields/common-fields.ts';
import { checkOwner, checkOwnSelector, foreignOwner, isWithinOwners, ownerOf, stamped } from './owner-limit.ts';

const limit = { label: 'team', owners: ['a', 'b'] };
const teamA = { label: 'team', owners: ['a'] };
const owned = (team?: string) => node({ node_id: 'n', custom_labels: team === undefined ? {} : { team } });

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string };
    return `${kind}: ${message}`;
  }
  return undefined;
}

test('an object is within the owners if its owner label has one of them', () => {
  expect([owned('a'), owned('b'), owned('c'), owned()].map((object) => isWithinOwners(limit, object))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(isWithinOwners(undefined, owned())).toBe(true);
  expect([ownerOf(owned('c'), 'team'), ownerOf(owned(), 'team')]).toEqual(['c', undefined]);
  // An owner label may also be an attribute.
  expect(isWithinOwners({ label: 'environment', owners: ['prod'] }, service([], { environment: 'prod' }))).toBe(true);
});

test("the refusal names the object, its owner, and the caller's owners", () => {
  const { kind, message } = foreignOwner(owned('c'), limit);
  expect([kind, message]).toEqual([
    'permissionDenied',
    'Access denied: Node with ID "n" has team "c". This key writes only team "a" or "b".',
  ]);
  expect(foreignOwner(owned(), teamA).message).toContain('has no team. This key writes only team "a".');
});

test('an added object needs one of the owners, unless the caller has none', () => {
  const refusal = (team?: string) => refusalOf(() => checkOwner(limit, 'node', owned(team).object));
  expect(refusal('a')).toBeUndefined();
  expect(refusalOf(() => checkOwner(undefined, 'node', owned('c').object))).toBeUndefined();
  expect(refusal('c')).toMatch(/^permissionDenied: Access denied: the node has team "c"/);
  expect(refusal()).toMatch(/^permissionDenied: Access denied: the node has no team/);
});

describe('fields without an owner', () => {
  test("get the caller's only owner, in label order", () => {
    const custom_labels = { a: '1', z: '2' };
    const fields = stamped(teamA, 'node', { custom_labels });
    expect(Object.entries(fields.custom_labels)).toEqual([
      ['a', '1'],
      ['team', 'a'],
      ['z', '2'],
    ]);
    expect(stamped(teamA, 'node', {})).toEqual({ custom_labels: { team: 'a' } });
    expect(stamped({ label: 'region', owners: ['eu'] }, 'node', {})).toEqual({ region: 'eu' });
  });

  test('are unchanged if they have an owner, or the caller has no limit', () => {
    const [otherTeam, free] = [{ custom_labels: { team: 'c' } }, { custom_labels: {} }];
    expect(stamped(teamA, 'node', otherTeam)).toBe(otherTeam);
    expect(stamped(undefined, 'node', free)).toBe(free);
    const region = { region: 'us', custom_labels: {} };
    expect(stamped({ label: 'region', owners: ['eu'] }, 'node', region)).toBe(region);
  });

  test('are refused for a caller with several owners, and with the maximum of labels', () => {
    expect(refusalOf(() => stamped(limit, 'node', {}))).toMatch(/^permissionDenied: .*Set the label\.$/);
    const labels = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, 'x']));
    expect(stamped(teamA, 'node', { custom_labels: labels(MAX_LABELS - 1) }).custom_labels).toHaveProperty('team', 'a');
    expect(refusalOf(() => stamped(teamA, 'node', { custom_labels: labels(MAX_LABELS) }))).toMatch(
      /^permissionDenied: .*Remove a label\.$/,
    );
  });
});

test('a selector of a caller with owners must require them', () => {
  expect(refusalOf(() => checkOwnSelector(limit, parseSelector('tier=x')))).toMatch(
    /^permissionDenied: .*must require it/,
  );
  for (const by of [undefined, limit])
    expect(refusalOf(() => checkOwnSelector(by, parseSelector('team=a')))).toBeUndefined();
});
