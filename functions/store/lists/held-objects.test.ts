import fc from '../../../shared/testing/fast-check.ts';
import { external, node, service } from '../../../tests/support/store.ts';
import { DROPPED, MAX_TARGET_BYTES, META_LABEL } from '../../domain/discovery/target-labels.ts';
import { type Entity, type EntityOf, itemOf, jsonOf, storedOf } from '../entities/entity.ts';
import type { ObjectKind } from '../table/keys.ts';
import { HeldObjects, MemoryLimitError } from './held-objects.ts';
import { targetOf } from './scrape-target.ts';

/** As many labels as an object can have. */
const most = (text: (label: number) => string) =>
  Object.fromEntries(Array.from({ length: 63 }, (_, label) => [`l${label}`, text(label)]));

const held = <Kind extends ObjectKind>(entity: EntityOf<Kind>, objects = new HeldObjects()) =>
  objects.hold(storedOf(entity.kind, { ...itemOf(entity) }));

const target = (agent: EntityOf<'agent'>, others: readonly Entity[]) => {
  const of = (kind: ObjectKind) =>
    new Map(
      others.flatMap((entity): [string, any][] =>
        entity.kind === kind ? [[(entity.object as any)[`${kind}_id`], entity.object]] : [],
      ),
    );
  const context = { agents: [], nodes: of('node'), services: of('service'), reportedPorts: new Map() };
  return targetOf(agent.object, context);
};

test.each(['x', '"', '\u4e2d'])(
  'holds some 10,000 bytes of an object with the most labels, made of %j',
  (character) => {
    const objects = new HeldObjects();
    const kept = held(node({ custom_labels: most(() => character.repeat(1024)) }), objects);
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(1.3 * MAX_TARGET_BYTES);
    expect(objects.bytes).toBeLessThan(1.5 * MAX_TARGET_BYTES);
  },
);

test('does not hold the text lists of an agent', () => {
  const texts = Array.from({ length: 100 }, (_, number) => `${number}${'x'.repeat(250)}`);
  const agent = external({}, { disable_collectors: texts, environment_variable_names: texts });
  expect(JSON.stringify(held(agent)).length).toBeLessThan(1000);
});

test('holds an object unchanged if a target shows all its labels', () => {
  const some = node({
    custom_labels: Object.fromEntries(Array.from({ length: 7 }, (_, label) => [`l${label}`, 'x'.repeat(1000)])),
  });
  expect(held(some).object).toEqual(some.object);
});

test('holds the selected labels and the owner label whole', () => {
  const custom_labels = { ...most((label) => String(label).repeat(500)), l1: 'y'.repeat(1024), team: 'z'.repeat(1024) };
  const { object } = held(node({ custom_labels }), new HeldObjects({ ownerLabel: 'team', selected: ['l1'] }));
  expect([object.custom_labels['l1'], object.custom_labels['team']]).toEqual([custom_labels.l1, custom_labels.team]);
});

const labels = (prefix: string) =>
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 1024 })), { maxLength: 40 })
    .map((all) =>
      Object.fromEntries(
        all.map(([value, length], number) => [`${prefix}${number}`, String(value % 10).repeat(length)]),
      ),
    );

test('held objects result in the same target as whole objects', () =>
  fc.assert(
    fc.property(labels('shared'), labels('n'), labels('s'), labels('a'), (shared, ofNode, ofService, ofAgent) => {
      const places = [0, 1].map((number) =>
        node({ custom_labels: { ...shared, ...ofNode, own: String(number).repeat(1000) } }),
      );
      const watched = service([places[0]!], { custom_labels: ofService });
      const agents = [
        external({}, { runs_on_node_id: places[0]!.object.node_id, custom_labels: ofAgent }),
        external({ services: [watched] }, { runs_on_node_id: places[1]!.object.node_id, custom_labels: ofAgent }),
        external({ nodes: places }, { runs_on_node_id: places[0]!.object.node_id }),
      ];
      const whole = [...places, watched];
      const objects = whole.map((entity) => held<ObjectKind>(entity));
      for (const agent of agents) {
        const kept = target(held(agent), objects);
        expect(kept?.group).toEqual(target(agent, whole)?.group);
      }
    }),
  ));

test('a label that a nearer object replaces is not counted as dropped', () => {
  const place = node({
    custom_labels: { ...most((label) => String(label).padStart(1000, 'x')), l1: 'x'.repeat(1024) },
  });
  const agent = external({}, { runs_on_node_id: place.object.node_id, custom_labels: { l1: 'short' } });
  const { group } = target(agent, [held<ObjectKind>(place)])!;
  expect(group.labels[`${META_LABEL}l1`]).toBe('short');
  const shown = Object.keys(group.labels).filter((name) => name.startsWith(META_LABEL)).length;
  expect(Number(group.labels[DROPPED])).toBe(63 - shown);
});

test('an object counts as its JSON and 1,400 bytes; exactly as many bytes as the memory can hold are not refused', () => {
  const place = node();
  const bytes = jsonOf(place).length + 1400;
  const objects = new HeldObjects({}, 2 * bytes);
  held(place, objects);
  expect(objects.bytes).toBe(bytes);
  held(place, objects);
  expect(() => held(place, objects)).toThrow(MemoryLimitError);
});

test('more bytes than the memory can hold are refused, with the owner that has the most of them', () => {
  const objects = new HeldObjects({ ownerLabel: 'team', selected: [] }, 20_000);
  const hold = () => {
    for (let number = 0; number < 20; number += 1)
      held(node({ custom_labels: { team: number % 3 === 0 ? 'small' : 'large' } }), objects);
  };
  expect(hold).toThrow(MemoryLimitError);
  expect(hold).toThrow(expect.objectContaining({ largest: expect.objectContaining({ owner: 'large' }) }));
});
