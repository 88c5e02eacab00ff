import { type ObjectKind, objectKinds } from '../domain/fields/object-kind.ts';
import { jobNames, jobStates } from '../domain/records/jobs.ts';
import { states } from '../domain/fields/liveness.ts';
import type { KeptSummary } from '../store/summary/kept-summary.ts';
import { keyOfRow } from '../store/summary/rows.ts';
import { ageSeconds, isComplete } from './summary.ts';

type Labels = Readonly<Record<string, string>>;

interface Family {
  name: string;
  help: string;
  /** Default: gauge. The samples of a counter have the suffix `_total`. */
  type?: 'counter';
  /** An empty label value is left out, as OpenMetrics treats it like no label. */
  samples: readonly (readonly [Labels, number])[];
}

/** https://prometheus.io/docs/specs/om/open_metrics_spec/#escaping */
const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function toText({ name, help, type, samples }: Family): string {
  const lines = samples.map(([labels, value]) => {
    const shown = Object.entries(labels).flatMap(([label, text]) =>
      text === '' ? [] : [`${label}="${escaped(text)}"`],
    );
    return `${name}${type === 'counter' ? '_total' : ''}${shown.length === 0 ? '' : `{${shown.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type ?? 'gauge'}\n${lines.join('')}`;
}

/** Objects are counted by type, state and one more value. This is the name of its label. */
const placeLabels: Readonly<Record<ObjectKind, string>> = { node: 'region', service: 'environment', agent: 'status' };

const nouns: Readonly<Record<ObjectKind, string>> = { node: 'Nodes', service: 'Services', agent: 'Agents' };

function countsOf(kind: ObjectKind, { count }: KeptSummary): Family {
  const place = placeLabels[kind];
  const rows = count.rows.filter((row) => row[0] === kind);
  const silenced = new Map(count.silenced.map((row) => [keyOfRow(row), row[4]]));
  return {
    name: `inventory_${kind}s`,
    help: `${nouns[kind]} by type, state and ${place}; silenced ones apart.`,
    samples: rows.flatMap((row) => {
      const [, type, state, value, number] = row;
      const labels = { type, state, [place]: value };
      const apart = silenced.get(keyOfRow(row)) ?? 0;
      const both: [Labels, number][] = [
        [labels, number - apart],
        [{ ...labels, silenced: 'true' }, apart],
      ];
      return both.filter(([, objects]) => objects > 0);
    }),
  };
}

/**
 * Findings whose number is 0 are stated too, so that alerts on them resolve. Their objects are not named, so that the
 * numbers of keys and tokens are for every role.
 */
const findings = [
  ...(['offline', 'stale'] as const).flatMap((reason) => [`${reason} node`, `${reason} service`]),
  ...['waiting agent', 'not_running agent', 'not_collected agent', 'connected_twice agent'],
  ...objectKinds.map((kind) => `removal_interrupted ${kind}`),
  ...['reconciliation_failed reconciliation', 'cleanup_stopped cleanup'],
  ...['expires_soon api_key', 'expires_soon enrolment_token'],
];

function findingsOf({ count, findings: others }: KeptSummary): Family {
  const countByFinding = new Map(
    [...count.findings, ...others].map((counts) => [`${counts.reason} ${counts.kind}`, counts.count]),
  );
  return {
    name: 'inventory_attention',
    help: 'Objects that need attention, by reason and kind.',
    samples: findings.map((finding) => {
      const [reason = '', kind = ''] = finding.split(' ');
      return [{ reason, kind }, countByFinding.get(finding) ?? 0] as const;
    }),
  };
}

/** Jobs by name and state, those that exist once in each state, so that alerts on them resolve. */
function jobsOf({ jobs }: KeptSummary): Family {
  return {
    name: 'inventory_jobs',
    help: 'Jobs of the service, by name and state.',
    samples: jobNames.flatMap((job) =>
      jobStates.map((state) => {
        const number = jobs.filter((jobCount) => jobCount.job === job && jobCount.state === state).length;
        return [{ job, state }, number] as const;
      }),
    ),
  };
}

const single = (name: string, help: string, value: number): Family => ({ name, help, samples: [[{}, value]] });

interface ServerNumbers {
  build?: { readonly version: string; readonly commit: string } | undefined;
  refusedConnections?: number | undefined;
  databaseBytes?: number | undefined;
}

function familiesOf({ build, refusedConnections, databaseBytes }: ServerNumbers): Family[] {
  const refused = 'Connections and requests that were refused because too many were open.';
  const bytes = 'Size of the database file and its log.';
  return [
    ...(build === undefined
      ? []
      : [
          {
            name: 'inventory_build_info',
            help: 'The version and the commit of the service; always 1.',
            samples: [[{ version: build.version, commit: build.commit }, 1] as const],
          },
        ]),
    ...(refusedConnections === undefined
      ? []
      : [{ ...single('inventory_refused_connections', refused, refusedConnections), type: 'counter' as const }]),
    ...(databaseBytes === undefined ? [] : [single('inventory_database_bytes', bytes, databaseBytes)]),
  ];
}

/**
 * The summary as OpenMetrics text. The number of series is bounded: regions and environments beyond a limit are `other`.
 *
 * @param server undefined: the number is unknown.
 */
export function toMetrics(summary: KeptSummary, now: Date, server: ServerNumbers = {}): string {
  const { count, countedAt } = summary;
  const families = [
    ...objectKinds.map((kind) => countsOf(kind, summary)),
    {
      name: 'inventory_clusters',
      help: 'Clusters by the worst state of their services.',
      samples: states.map((state) => [{ state }, count.clusters.by_state[state] ?? 0] as const),
    },
    findingsOf(summary),
    single(
      'inventory_targets_with_dropped_labels',
      'Targets of discovery without some of their custom labels, because they exceed the maximum size.',
      count.dropped,
    ),
    single(
      'inventory_discovery_list_bytes',
      'Estimated size of the list of all targets of discovery. One reply without gzip contains up to 6.2 MB.',
      Math.round(summary.listBytes ?? 0),
    ),
    jobsOf(summary),
    single('inventory_summary_age_seconds', 'Age of these numbers.', ageSeconds(summary, now)),
    single(
      'inventory_count_age_seconds',
      'Time since the objects were counted, which takes longer in a large inventory.',
      Math.max(0, Math.floor((now.getTime() - countedAt) / 1000)),
    ),
    single(
      'inventory_summary_complete',
      '1 if all objects and changes are in these numbers.',
      isComplete(summary) ? 1 : 0,
    ),
    ...familiesOf(server),
  ];
  return `${families.map(toText).join('')}# EOF\n`;
}
