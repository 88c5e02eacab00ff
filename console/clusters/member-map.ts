import { byNumbers } from '../../shared/core/by-numbers.ts';

/** The properties of a service that determine its cell. */
export interface MemberPlace {
  type: string;
  replicationSet: string | undefined;
  /** The zone of each of its nodes; undefined for a node without one. */
  zones: readonly (string | undefined)[];
  isLive: boolean;
}

/** The members of one group in one zone. */
export interface Cell<T> {
  zone: string;
  members: readonly T[];
}

/** One row of the map: the proxies, a replication set, or the other services of one type. */
export interface MemberGroup<T> {
  name: string;
  count: number;
  /** In the order of the zones of the map. */
  cells: readonly Cell<T>[];
}

export interface MemberMap<T> {
  zones: readonly string[];
  groups: readonly MemberGroup<T>[];
}

const PROXY_TYPES: ReadonlySet<string> = new Set(['haproxy', 'proxysql']);

const PROXIES = 'Proxies';

/** In place of a zone. They are the last columns. */
const SEVERAL_ZONES = 'Several zones';
const NO_NODE = 'No node';
const UNKNOWN_ZONE = 'Unknown zone';
const lastZones: readonly string[] = [SEVERAL_ZONES, UNKNOWN_ZONE, NO_NODE];

function zoneOf({ zones }: MemberPlace): string {
  if (zones.length === 0) return NO_NODE;
  const [zone = UNKNOWN_ZONE, ...others] = new Set(zones);
  return others.length > 0 ? SEVERAL_ZONES : zone;
}

function groupOf({ type, replicationSet }: MemberPlace): string {
  if (PROXY_TYPES.has(type)) return PROXIES;
  return replicationSet === undefined ? type : `Replication set ${replicationSet}`;
}

/** Proxies are in front of the databases, but many of them would move databases that are not live out of the window. */
function rankOf(group: string, members: readonly Pick<MemberPlace, 'isLive'>[]): number {
  if (group === PROXIES) return 1;
  return members.every(({ isLive }) => isLive) ? 2 : 0;
}

const zoneOrder = (left: string, right: string) =>
  lastZones.indexOf(left) - lastZones.indexOf(right) || byNumbers(left, right);

/** The members of a cluster by group and zone. */
export function memberMapOf<T>(members: readonly T[], placeOf: (member: T) => MemberPlace): MemberMap<T> {
  const placed = members.map((member) => {
    const place = placeOf(member);
    return { member, zone: zoneOf(place), group: groupOf(place), isLive: place.isLive };
  });
  const zones = [...new Set(placed.map(({ zone }) => zone))].sort(zoneOrder);
  const groups = [...Map.groupBy(placed, ({ group }) => group)]
    .toSorted(
      ([left, ofLeft], [right, ofRight]) => rankOf(left, ofLeft) - rankOf(right, ofRight) || byNumbers(left, right),
    )
    .map(([name, ofGroup]) => {
      const cells = zones.map((zone) => ({
        zone,
        members: ofGroup.filter((one) => one.zone === zone).map(({ member }) => member),
      }));
      return { name, count: ofGroup.length, cells };
    });
  return { zones, groups };
}
