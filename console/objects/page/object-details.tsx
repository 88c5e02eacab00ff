import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import KeyValuePairs, { type KeyValuePairsProps } from '@cloudscape-design/components/key-value-pairs';
import { useDashboards } from '../../model/dashboards.tsx';
import type { InventoryObject, Kind } from '../../model/kinds.tsx';
import { Words } from '../../ui/breakable-text.tsx';
import { LoadedAtContext } from '../../ui/loaded-at.tsx';
import { Moment } from '../../ui/moment.tsx';
import { valueText } from '../../ui/value-text.ts';
import { labelOf } from '../../ui/words.ts';
import { DashboardLinks } from './dashboard-links.tsx';
import { HealthText } from '../cells/health-status.tsx';

/** The details of a kind of objects. */
export interface Details<T> {
  /** Fields that `pairs` or another part of the page shows. */
  shown: readonly string[];
  pairs: (object: T) => readonly KeyValuePairsProps.Pair[];
}

/** Fields that other parts of the page show. */
const record = ['state', 'reported_at', 'removing', 'custom_labels', 'created_at', 'updated_at', 'revision'];

interface Props<T extends InventoryObject> {
  kind: Kind<T>;
  object: T;
  details: Details<T>;
  /** As of `LoadedAtContext`. */
  loadedAt: number | undefined;
  columns: number;
}

/** The fields of one object, except its labels. */
export function ObjectDetails<T extends InventoryObject>({ kind, object, details, loadedAt, columns }: Props<T>) {
  const dashboards = useDashboards(object);
  const id = kind.idOf(object);
  const hidden = new Set([...details.shown, ...record, kind.idField, kind.typeField]);
  const others = Object.entries(object).filter(([name]) => !hidden.has(name));
  return (
    <KeyValuePairs
      columns={columns}
      items={[
        {
          label: 'Health',
          value: (
            <LoadedAtContext value={loadedAt}>
              <HealthText object={object} />
            </LoadedAtContext>
          ),
        },
        { label: 'Type', value: <Words text={kind.typeOf(object)} /> },
        ...details.pairs(object),
        ...(dashboards.length === 0 ? [] : [{ label: 'Dashboards', value: <DashboardLinks links={dashboards} /> }]),
        ...others.map(([name, value]) => ({
          label: labelOf(name),
          value: <bdi className="any-word">{valueText(value)}</bdi>,
        })),
        {
          label: 'ID',
          value: (
            <CopyToClipboard
              variant="inline"
              textToCopy={id}
              textToDisplay={<span className="object-id">{id}</span>}
              copyButtonAriaLabel="Copy the ID"
              copySuccessText="Copied"
              copyErrorText="Could not copy"
            />
          ),
        },
        { label: 'Added', value: <Moment time={object.created_at} exact /> },
        { label: 'Changed', value: <Moment time={object.updated_at} exact /> },
        { label: 'Revision', value: object.revision },
      ]}
    />
  );
}

export function ObjectLabels({ labels, columns }: { labels: InventoryObject['custom_labels']; columns: number }) {
  return (
    <KeyValuePairs
      columns={columns}
      items={Object.entries(labels).map(([label, value]) => ({
        label,
        value: <bdi className="any-word">{value === '' ? '-' : value}</bdi>,
      }))}
    />
  );
}
