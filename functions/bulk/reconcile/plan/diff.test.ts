import * as z from 'zod/mini';
import { exporter, external, node, pmmAgent, service } from '../../../../tests/support/store.ts';
import { keptRequest } from '../../../domain/bulk/reconcile-request.ts';
import { type Entity, idOf } from '../../../store/entities/entity.ts';
import { claimsOf } from '../../../store/entities/derived-items.ts';
import type { ScopeSnapshot } from '../../../store/lists/scope-snapshot.ts';
import { blockDependants, resolveDependencies } from './dependencies.ts';
import { computeDiff } from './diff.ts';
import type { Step } from './step.ts';

const custom_labels = { team: 'a' };
const NOW = new Date('2036-01-01T00:00:00Z');

/** The snapshot of these objects; those inside the scope are listed first. */
function snapshotOf(inside: readonly Entity[], outside: readonly Entity[] = []): ScopeSnapshot {
  const all = [...inside, ...outside];
  const of = <T>(kind: Entity['kind']) =>
    new Map(all.flatMap((entity) => (entity.kind === kind ? [[idOf(entity), entity.object as T]] : [])));
  const agents = of<any>('agent');
  const services = of<any>('service');
  const dependants = new Map(
    inside.map((entity) => [
      idOf(entity),
      {
        services: [...services.values()].flatMap((s) => (s.node_ids.includes(idOf(entity)) ? [s.service_id] : [])),
        agents: [...agents.values()].flatMap((a) =>
          [a.runs_on_node_id, ...a.insights.node_ids, ...a.insights.service_ids].includes(idOf(entity))
            ? [a.agent_id]
            : [],
        ),
      },
    ]),
  );
  const owners = new Map(all.flatMap((entity) => claimsOf(entity).map(({ pk }) => [pk, idOf(entity)] as const)));
  return { nodes: of('node'), services, agents, within: new Set(inside.map(idOf)), dependants, owners };
}

let ids = 0;
function diffOf(snapshot: ScopeSnapshot, desired: object) {
  const { desired: parsed } = z.parse(keptRequest, { scope: { selector: 'team=a' }, desired });
  const newId = () => `new ${(ids += 1)}`;
  const diff = computeDiff(snapshot, parsed, { newId, now: NOW });
  resolveDependencies(diff);
  const steps = [...diff.steps.values()];
  blockDependants(steps);
  return { diff, steps };
}
const shown = ({ steps }: { steps: readonly Step[] }) =>
  steps.map(({ action, kind, named, blocked }) => [
    action,
    named.node_name ?? named.service_name ?? named.agent_type ?? kind,
    ...(blocked === undefined ? [] : [blocked]),
  ]);
const before = (step: Step | undefined) =>
  [...(step?.after ?? [])].map(({ named }) => named.node_name ?? named.service_name ?? named.agent_type);

const nodeBody = (node_name: string, more: object = {}) => ({
  ...{ node_type: 'generic', node_name, address: '10.0.0.1', custom_labels },
  ...more,
});
const serviceBody = (service_name: string, node_names: string[], more: object = {}) => ({
  ...{ service_type: 'mysql', service_name, node_names, address: 'a', port: 1, custom_labels },
  ...more,
});
const existing = (node_name: string, more: object = {}) => node({ node_name, custom_labels, ...more });

test('objects are added, changed, left and removed', () => {
  const [left, changed, gone] = [existing('left'), existing('changed', { revision: 3 }), existing('gone')];
  const { diff, steps } = diffOf(snapshotOf([left, changed, gone]), {
    nodes: [nodeBody('left'), nodeBody('changed', { address: 'b' }), nodeBody('new')],
  });
  expect(shown({ steps })).toEqual([
    ['change', 'changed'],
    ['add', 'new'],
    ['remove', 'gone'],
  ]);
  expect(diff.unchanged).toEqual(new Set([idOf(left)]));
  expect(diff.within).toHaveLength(3);
  expect(steps[0]).toMatchObject({
    changes: [{ field: 'address', from: '10.0.0.1', to: 'b' }],
    next: { object: { revision: 4, updated_at: NOW.toISOString() } },
  });
});

test('an outside object is neither changed nor removed, and its name stays taken', () => {
  const outside = node({ node_name: 'x' });
  expect(shown(diffOf(snapshotOf([], [outside]), { nodes: [nodeBody('x')] }))).toEqual([
    ['add', 'x', 'Node "x" exists outside the scope.'],
  ]);
});

test('a type cannot change, and others may refer to the object as it is', () => {
  const container = existing('x', { node_type: 'container' });
  const desired = { nodes: [nodeBody('x')], services: [serviceBody('s', ['x'])] };
  expect(shown(diffOf(snapshotOf([container]), desired))).toEqual([
    ['change', 'x', 'Exists with the type container, which cannot change. Remove it first.'],
    ['add', 's'],
  ]);
});

test('no agent is added under a pmm_agent that will be removed', () => {
  const place = existing('n');
  const { steps } = diffOf(snapshotOf([place, pmmAgent(place)]), {
    nodes: [nodeBody('n')],
    agents: [{ agent_type: 'node_exporter', runs_on_node_name: 'n' }],
  });
  expect(shown({ steps })).toEqual([
    ['add', 'node_exporter', 'No pmm_agent runs on node "n".'],
    ['remove', 'pmm_agent'],
  ]);
});

test('a reference leads to a desired, outside, removed or missing object', () => {
  const [outside, gone] = [node({ node_name: 'outside' }), existing('gone')];
  const { steps } = diffOf(snapshotOf([gone], [outside]), {
    nodes: [nodeBody('new')],
    services: [
      serviceBody('s1', ['new', 'outside']),
      serviceBody('s2', ['gone']),
      serviceBody('s3', ['missing', 'gone']),
    ],
  });
  expect(shown({ steps })).toEqual([
    ['add', 'new'],
    ['add', 's1'],
    ['add', 's2', 'Node "gone" is in the scope but not in desired, and will be removed.'],
    ['add', 's3', 'Node "missing" does not exist and is not in desired.'],
    ['remove', 'gone'],
  ]);
  expect(before(steps[1])).toEqual(['new']);
});

test('an agent is found by its natural key, and its pmm_agent is the desired one or one on an outside node', () => {
  const [place, outside] = [existing('n'), node({ node_name: 'outside' })];
  const [process, elsewhere] = [pmmAgent(place), pmmAgent(outside)];
  const target = service([place], { service_name: 's', custom_labels, address: 'a', port: 1 });
  const agents = (port: number, on: string) => ({
    nodes: [nodeBody('n')],
    services: [serviceBody('s', ['n'])],
    agents: [
      { agent_type: 'mysqld_exporter', runs_on_node_name: on, listen_port: port, insights: { service_names: ['s'] } },
      { agent_type: 'pmm_agent', runs_on_node_name: 'n' },
    ],
  });
  const added = diffOf(snapshotOf([place, process, target]), agents(1, 'n')).steps;
  expect(shown({ steps: added })).toEqual([['add', 'mysqld_exporter']]);
  const snapshot = snapshotOf([place, process, target, added[0]!.next!], [outside, elsewhere]);
  const same = diffOf(snapshot, agents(1, 'n'));
  expect([same.steps, same.diff.unchanged.size]).toEqual([[], 4]);
  expect(shown(diffOf(snapshot, agents(2, 'n')))).toEqual([['change', 'mysqld_exporter']]);
  const moved = diffOf(snapshot, agents(1, 'outside')).steps;
  expect(shown({ steps: moved })).toEqual([
    ['add', 'mysqld_exporter'],
    ['remove', 'mysqld_exporter'],
  ]);
  expect(moved[0]?.next?.object).toMatchObject({ pmm_agent_id: idOf(elsewhere), registered: true });
  expect(shown(diffOf(snapshotOf([place, process, target], [outside]), agents(1, 'outside')))).toEqual([
    ['add', 'mysqld_exporter', 'No pmm_agent runs on node "outside".'],
  ]);
});

test('of equal agents one stays, and the others are removed', () => {
  const place = existing('n');
  const [older, younger] = [
    external({ nodes: [place] }, { created_at: '2026-01-01T00:00:00.000Z' }),
    external({ nodes: [place] }, { created_at: '2026-01-02T00:00:00.000Z' }),
  ];
  const { steps } = diffOf(snapshotOf([place, younger, older]), {
    nodes: [nodeBody('n')],
    agents: [{ agent_type: 'external_exporter', listen_port: 1, insights: { node_names: ['n'] } }],
  });
  expect(steps.filter(({ action }) => action === 'remove').map(({ id }) => id)).toEqual([idOf(younger)]);
});

test('dependants are removed before an object; a dependant outside the scope prevents its removal', () => {
  const place = existing('n');
  const target = service([place], { service_name: 's', custom_labels });
  const inside = diffOf(snapshotOf([place, target]), {});
  expect(before(inside.steps.find(({ kind }) => kind === 'node'))).toEqual(['s']);
  const other = diffOf(snapshotOf([place], [target]), {});
  expect(shown(other)).toEqual([['remove', 'n', 'Service "s" outside the scope depends on it.']]);
  const process = pmmAgent(place);
  const agent = exporter(process, []);
  const under = diffOf(snapshotOf([place, process, agent]), {});
  expect(before(under.steps.find(({ named }) => named.agent_type === 'pmm_agent'))).toEqual(['mysqld_exporter']);
});

test('an address is freed before it is taken, and an object that keeps it blocks the step', () => {
  const [from, gone] = [
    existing('from', { region: 'eu', address: 'h1' }),
    existing('gone', { region: 'eu', address: 'h2' }),
  ];
  const { steps } = diffOf(snapshotOf([from, gone]), {
    nodes: [
      nodeBody('takes', { region: 'eu', address: 'h1' }),
      nodeBody('takes gone', { region: 'eu', address: 'h2' }),
      nodeBody('from', { region: 'eu', address: 'h3' }),
    ],
  });
  const find = (name: string) => steps.find(({ named }) => named.node_name === name);
  expect([before(find('takes')), before(find('takes gone'))]).toEqual([['from'], ['gone']]);
  const keeps = diffOf(snapshotOf([from]), {
    nodes: [nodeBody('takes', { region: 'eu', address: 'h1' }), nodeBody('from', { region: 'eu', address: 'h1' })],
  });
  expect(shown(keeps)).toEqual([['add', 'takes', 'Node with address "h1" and region "eu" already exists.']]);
  const twice = diffOf(snapshotOf([]), {
    nodes: ['a', 'b'].map((name) => nodeBody(name, { region: 'eu', address: 'h1' })),
  });
  expect(shown(twice)).toEqual([
    ['add', 'a'],
    ['add', 'b', 'Node with address "h1" and region "eu" already exists.'],
  ]);
});

test('steps that depend on a blocked step are blocked in turn', () => {
  const outside = node({ node_name: 'x' });
  const steps = diffOf(snapshotOf([], [outside]), {
    nodes: [nodeBody('x')],
    services: [serviceBody('s', ['x'])],
    agents: [{ agent_type: 'external_exporter', listen_port: 1, insights: { service_names: ['s'] } }],
  }).steps;
  expect(shown({ steps }).map(([, , blocked]) => blocked)).toEqual([
    'Node "x" exists outside the scope.',
    'Requires Node "x", which is blocked.',
    'Requires Service "s", which is blocked.',
  ]);
});

test('a service shows its nodes by name', () => {
  const [n1, n2] = [existing('n1'), existing('n2')];
  const target = service([n1], { service_name: 's', custom_labels, address: 'a', port: 1 });
  const { steps } = diffOf(snapshotOf([n1, n2, target]), {
    nodes: [nodeBody('n1'), nodeBody('n2')],
    services: [serviceBody('s', ['n1', 'n2'])],
  });
  expect(steps[0]?.changes).toEqual([{ field: 'node_names', from: ['n1'], to: ['n1', 'n2'] }]);
});

test('a target of a wrong type blocks the step', () => {
  const place = existing('n');
  const { steps } = diffOf(snapshotOf([place, pmmAgent(place)]), {
    nodes: [nodeBody('n')],
    services: [serviceBody('s', [], { service_type: 'postgresql' })],
    agents: [
      { agent_type: 'pmm_agent', runs_on_node_name: 'n' },
      { agent_type: 'mysqld_exporter', runs_on_node_name: 'n', insights: { service_names: ['s'] } },
    ],
  });
  expect(steps.find(({ kind, action }) => kind === 'agent' && action === 'add')?.blocked).toContain(
    'invalid combination',
  );
});
