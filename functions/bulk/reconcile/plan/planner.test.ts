import { randomUUID } from 'node:crypto';
import { inFull } from '../../../../shared/testing/extent.ts';
import fc from '../../../../shared/testing/fast-check.ts';
import * as z from 'zod/mini';
import { type DesiredState, isWithin, reconcileBody } from '../../../domain/bulk/reconcile-request.ts';
import { type Agent, idOf, type Entity } from '../../../store/entities/entity.ts';
import { claimsOf, derivedItemsOf } from '../../../store/entities/derived-items.ts';
import type { ScopeSnapshot } from '../../../store/lists/scope-snapshot.ts';
import { fingerprintOf, planReconciliation, type ReconcilePlan } from './planner.ts';

/** An inventory without a table: only its objects. */
type World = Map<string, Entity>;

const scopeOf = (team: string) => ({ selector: `team=${team}` });
const making = { newId: () => randomUUID() as string, now: new Date('2026-01-01T00:00:00Z') };

const targetsOf = ({ insights }: Agent) => [...insights.node_ids, ...insights.service_ids];

/** The scope snapshot of a world. */
function around(world: World, team: string): ScopeSnapshot {
  const all = [...world.values()];
  const nodes = new Map(
    all.flatMap((entity) => (entity.kind === 'node' ? [[idOf(entity), entity.object] as const] : [])),
  );
  const services = new Map(
    all.flatMap((entity) => (entity.kind === 'service' ? [[idOf(entity), entity.object] as const] : [])),
  );
  const agents = new Map(
    all.flatMap((entity) => (entity.kind === 'agent' ? [[idOf(entity), entity.object] as const] : [])),
  );
  const within = new Set<string>();
  const isIn = (entity: Entity) => entity.kind !== 'agent' && isWithin(scopeOf(team), entity.kind, entity.object);
  for (const entity of all) if (isIn(entity)) within.add(idOf(entity));
  const places = new Set(within);
  for (const agent of agents.values()) {
    const targets = targetsOf(agent);
    const watches = targets.length > 0 && targets.every((id) => places.has(id));
    if (watches || places.has(agent.runs_on_node_id ?? '')) within.add(agent.agent_id);
  }
  const dependants = new Map(
    [...places].map((id) => [
      id,
      {
        services: [...services.values()].flatMap((service) =>
          service.node_ids.includes(id) ? [service.service_id] : [],
        ),
        agents: [...agents.values()].flatMap((agent) =>
          agent.runs_on_node_id === id || targetsOf(agent).includes(id) ? [agent.agent_id] : [],
        ),
      },
    ]),
  );
  const owners = new Map(all.flatMap((entity) => claimsOf(entity).map(({ pk }) => [pk, idOf(entity)] as const)));
  return { nodes, services, agents, within, dependants, owners };
}

/** The inconsistencies of a world: references to missing objects, and claims with two owners. */
function faults(world: World): string[] {
  const claims = new Set<string>();
  return [...world.values()].flatMap((entity) => [
    ...derivedItemsOf(entity).flatMap(({ dependency }) =>
      dependency === undefined || world.has(dependency.id) ? [] : [`${idOf(entity)} refers to ${dependency.id}`],
    ),
    ...claimsOf(entity).flatMap(({ pk }) => (claims.size === claims.add(pk).size ? [`${pk} twice`] : [])),
  ]);
}

/** Performs a plan, group by group; the world must be consistent after each group. */
function carryOut(world: World, { groups }: ReconcilePlan): void {
  for (const group of groups) {
    for (const { id, old, next } of group) {
      expect(world.get(id)).toEqual(old);
      if (next === undefined) world.delete(id);
      else world.set(id, next);
    }
    expect(faults(world)).toEqual([]);
  }
}

const teams = ['a', 'b'] as const;
const NODES = 4;
const SERVICES = 3;
const nodeNames = teams.flatMap((team) => Array.from({ length: NODES }, (_, index) => `${team}-n${index}`));
const serviceNames = teams.flatMap((team) => Array.from({ length: SERVICES }, (_, index) => `${team}-s${index}`));

const some = <T>(values: readonly T[], most: number) => fc.subarray([...values], { maxLength: most });

/** A possible `desired` of a team: its own nodes and services, running on and watching any objects. */
function wishOf(team: string): fc.Arbitrary<{ team: string; desired: DesiredState }> {
  const custom_labels = { team };
  const node = fc.record({
    isThere: fc.constantFrom(true, true, true, false),
    region: fc.oneof(
      { weight: 9, arbitrary: fc.constant(`r-${team}`) },
      { weight: 1, arbitrary: fc.constantFrom('r', undefined) },
    ),
    process: fc.boolean(),
    nodeExporter: fc.boolean(),
    watched: some(serviceNames, 2),
    port: fc.constantFrom(1, 2),
  });
  const service = fc.record({ isThere: fc.boolean(), on: some(nodeNames, 2), port: fc.constantFrom(1, 2) });
  return fc
    .record({
      // Usually distinct, so that they are passed on and swapped; sometimes those of another team.
      addresses: fc.shuffledSubarray(['w', 'x', 'y', 'z'], { minLength: NODES }),
      nodes: fc.array(node, { minLength: NODES, maxLength: NODES }),
      services: fc.array(service, { minLength: SERVICES, maxLength: SERVICES }),
      external: fc.array(some(serviceNames, 2), { maxLength: 2 }),
    })
    .map(({ addresses, nodes, services, external }) => {
      const there = nodes.flatMap((node, index) =>
        node.isThere ? [{ ...node, name: `${team}-n${index}`, address: addresses[index] }] : [],
      );
      const places = there.filter(({ process }) => process);
      const body = {
        scope: scopeOf(team),
        desired: {
          nodes: there.map(({ name, address, region }) => ({
            node_type: 'generic',
            node_name: name,
            address,
            custom_labels,
            ...(region === undefined ? {} : { region }),
          })),
          services: services.flatMap(({ isThere, on, port }, index) =>
            isThere
              ? [
                  {
                    service_type: 'mysql',
                    service_name: `${team}-s${index}`,
                    node_names: on,
                    address: 'a',
                    port,
                    custom_labels,
                  },
                ]
              : [],
          ),
          agents: [
            ...places.map(({ name }) => ({ agent_type: 'pmm_agent', runs_on_node_name: name })),
            ...places.flatMap(({ name, nodeExporter, port }) =>
              nodeExporter ? [{ agent_type: 'node_exporter', runs_on_node_name: name, listen_port: port }] : [],
            ),
            ...places.flatMap(({ name, watched, port }) =>
              watched.map((target) => ({
                agent_type: 'mysqld_exporter',
                runs_on_node_name: name,
                listen_port: port,
                insights: { service_names: [target] },
              })),
            ),
            ...external.map((targets) => ({
              agent_type: 'external_exporter',
              listen_port: 1,
              insights: { service_names: targets },
            })),
          ],
        },
      };
      return { team, parsed: z.safeParse(reconcileBody, body) };
    })
    .filter(({ parsed }) => parsed.success)
    .map(({ parsed }) => ({ team, desired: parsed.data!.desired! }));
}

const wishes = fc.array(fc.oneof(wishOf('a'), wishOf('b')), { minLength: 2, maxLength: 6, size: 'max' });

const shown = ({ groups, blocked }: ReconcilePlan) => [...groups.flat(), ...blocked];

test('for any sequence of desired states, each group keeps the invariants, outside objects stay, and no step remains', () => {
  const seen = { blocked: 0, together: 0, steps: 0 };
  fc.assert(
    fc.property(wishes, (list) => {
      const world: World = new Map();
      for (const { team, desired } of list) {
        const snapshot = around(world, team);
        const outside = [...world].filter(([id]) => !snapshot.within.has(id));
        const plan = planReconciliation(snapshot, desired, making);
        expect(plan.removals).toBe(shown(plan).filter(({ action }) => action === 'remove').length);
        seen.blocked += plan.blocked.length;
        seen.together += plan.groups.filter(({ length }) => length > 1).length;
        seen.steps += plan.groups.flat().length;
        carryOut(world, plan);
        for (const [id, object] of outside) expect(world.get(id)).toBe(object);
        const now = around(world, team);
        const again = planReconciliation(now, desired, making);
        expect(again.groups).toEqual([]);
        const count = desired.nodes.length + desired.services.length + desired.agents.length;
        if (plan.blocked.length > 0) continue;
        expect(again).toMatchObject({ blocked: [], inScope: count, unchanged: count, removals: 0 });
      }
    }),
    { numRuns: inFull(250, 80) },
  );
  // The test covers all of these cases.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});

test('equal inventories have equal plans, and different ones different plans', () => {
  fc.assert(
    fc.property(wishes, wishOf('a'), (list, { desired }) => {
      const world: World = new Map();
      for (const wish of list) carryOut(world, planReconciliation(around(world, wish.team), wish.desired, making));
      const plan = () => shown(planReconciliation(around(world, 'a'), desired, making)).map(fingerprintOf);
      const before = plan();
      expect(plan()).toEqual(before);
      expect(new Set(before).size).toBe(before.length);
      const affected = shown(planReconciliation(around(world, 'a'), desired, making)).find(
        ({ old, blocked }) => old !== undefined && blocked === undefined,
      );
      if (affected?.old === undefined) return;
      const { object } = affected.old;
      const changed = { kind: affected.kind, object: { ...object, revision: object.revision + 1 } } as Entity;
      world.set(affected.id, changed);
      expect(plan()).not.toEqual(before);
    }),
    { numRuns: inFull(100, 30) },
  );
});
