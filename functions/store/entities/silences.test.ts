import { exporter, external, node, pmmAgent, service } from '../../../tests/support/store.ts';
import { putItem } from '../../../tests/support/table.ts';
import { silenceKey } from '../table/keys.ts';
import { idOf } from './entity.ts';
import { readSilences, type Silence, SilencedObjects } from './silences.ts';
import { useTable } from '../../../tests/support/fixtures.ts';

const silence = (selector: string, more: Partial<Silence> = {}): Silence => ({
  ...{ silence_id: selector, selector, reason: 'r', created_at: '2026-05-01T10:00:00.000Z', expires_at: 1 },
  created_by: { kind: 'system', id: 'test', name: 'test' },
  ...more,
});

const labelled = { custom_labels: { team: 'a' } };

describe('silences in the table', () => {
  const { table } = useTable();

  test('are read until their end, to the second', async () => {
    for (const end of [100, 101, 102])
      await putItem(table, {
        ...silence('team=a', { silence_id: `s${end}`, expires_at: end }),
        ...silenceKey(`s${end}`),
      });
    const silencesAt = async (milliseconds: number) =>
      (await readSilences(table, new Date(milliseconds))).map(({ silence_id: id }) => id).sort();
    expect(await silencesAt(99_999)).toEqual(['s100', 's101', 's102']);
    expect(await silencesAt(100_000)).toEqual(['s101', 's102']);
    expect(await silencesAt(102_000)).toEqual([]);
  });
});

describe('an object is silenced', () => {
  const [quiet, loud] = [node(labelled), node()];
  const asked = (...silences: Silence[]) => {
    const objects = new SilencedObjects(silences);
    objects.has(quiet);
    objects.has(loud);
    return objects;
  };

  test('by its own labels, for any matching silence', () => {
    for (const objects of [asked(silence('team=a')), asked(silence('team=b'), silence('team in (a)'))])
      expect([objects.has(quiet), objects.has(loud)]).toEqual([true, false]);
    expect(asked().has(quiet)).toBe(false);
  });

  test('only with all nodes of a service', () => {
    const objects = asked(silence('team=a'));
    const silenced = (...nodes: (typeof quiet)[]) => objects.has(service(nodes));
    expect([silenced(quiet), silenced(quiet, loud), silenced(loud), silenced()]).toEqual([true, false, false, false]);
  });

  test("with an agent's node, or with all of its targets", () => {
    const objects = asked(silence('team=a'));
    const [onQuiet, onLoud] = [service([quiet]), service([loud])];
    for (const entity of [onQuiet, onLoud]) objects.has(entity);
    const [here, there] = [pmmAgent(quiet), pmmAgent(loud)];
    expect([objects.has(here), objects.has(there)]).toEqual([true, false]);
    expect([objects.has(exporter(here, [onLoud])), objects.has(exporter(there, [onLoud]))]).toEqual([true, false]);
    expect([objects.has(exporter(there, [onQuiet])), objects.has(exporter(there, [onQuiet, onLoud]))]).toEqual([
      true,
      false,
    ]);
    const watching = (nodes: (typeof quiet)[], services: (typeof onQuiet)[]) =>
      objects.has(external({ nodes, services }));
    expect([watching([quiet], [onQuiet]), watching([loud], [onQuiet]), watching([], [])]).toEqual([true, false, false]);
  });
});

describe('ids for the next part of a count', () => {
  test('are the silenced nodes and services, because nothing depends on an agent', () => {
    const place = node(labelled);
    const [process, target] = [pmmAgent(place), service([place])];
    const objects = new SilencedObjects([silence('team=a')]);
    expect([place, target, process].map((entity) => objects.has(entity))).toEqual([true, true, true]);
    expect(objects.kept()).toEqual([idOf(place), idOf(target)]);
    const next = new SilencedObjects([], objects.kept());
    expect([next.has(service([place])), next.has(exporter(pmmAgent(node()), [target]))]).toEqual([true, true]);
  });

  test('are at most 5,000', () => {
    const ids = Array.from({ length: 5001 }, (_, index) => `n${index}`);
    expect(new SilencedObjects([], ids).kept()).toEqual(ids.slice(0, 5000));
    expect(new SilencedObjects([], ids.slice(1)).kept()).toEqual(ids.slice(1));
  });
});
