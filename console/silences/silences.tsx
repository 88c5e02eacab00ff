import type { TableProps } from '@cloudscape-design/components/table';
import { endpoint as listSilences } from '../../functions/api/silences/list/endpoint.ts';
import { requestOf } from '../api/client.tsx';
import { type Silence, useSilences } from '../model/silences.tsx';
import { Expiry } from '../objects/cells/expiry.tsx';
import { SilenceButton } from '../objects/bulk/silence-button.tsx';
import { EndButton } from '../objects/bulk/silence-marks.tsx';
import { Words } from '../ui/breakable-text.tsx';
import { Moment } from '../ui/moment.tsx';
import { pageWithRole } from '../ui/not-allowed.tsx';
import { usePageTitle } from '../ui/page-title.tsx';
import { useNarrow } from '../ui/use-narrow.tsx';
import { EmptyTable, WholeTable } from '../ui/whole-table.tsx';

const selectorColumn: TableProps.ColumnDefinition<Silence> = {
  id: 'selector',
  header: 'Selector',
  isRowHeader: true,
  cell: ({ selector }) => <Words text={selector} />,
};

const wideColumns: readonly TableProps.ColumnDefinition<Silence>[] = [
  { id: 'creator', header: 'Silenced by', cell: ({ created_by: { name } }) => <Words text={name} /> },
  { id: 'created', header: 'Since', cell: ({ created_at: time }) => <Moment time={time} exact /> },
];

const columnsOf = (narrow: boolean): TableProps.ColumnDefinition<Silence>[] => [
  selectorColumn,
  { id: 'reason', header: 'Reason', cell: ({ reason }) => <Words text={reason} /> },
  { id: 'until', header: 'Ends', cell: ({ until }) => <Expiry time={until} /> },
  ...(narrow ? [] : wideColumns),
  { id: 'end', header: 'Actions', cell: (silence) => <EndButton silence={silence} isInline /> },
];

const addButton = (
  <SilenceButton selector="" variant="primary">
    Add silence
  </SilenceButton>
);

/** Silences: the objects that cause no attention for some time. */
function Silences() {
  usePageTitle('Silences');
  const narrow = useNarrow();
  const list = useSilences();
  const silences = list.value ?? [];
  return (
    <WholeTable
      title="Silences"
      noun="silences"
      description="Objects that need no attention for some time, for example during planned work."
      list={list}
      items={silences}
      count={silences.length}
      idField="silence_id"
      columns={columnsOf(narrow)}
      request={requestOf(listSilences, {})}
      action={addButton}
      empty={<EmptyTable title="No silences" hint="The pages of objects and clusters have Silence, too." />}
    />
  );
}

export const SilencesPage = pageWithRole('Silences', listSilences, Silences);
